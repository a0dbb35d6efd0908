import os
import time

from shipments import ApiClient, Configuration
from shipments.api import AuthenticationApi, DriversApi, ExternalApi, TasksApi
from shipments.models import Credentials, ExternalAddress, ExternalRecipient, ExternalShipmentRequest, Proof, TransitionRequest

host = os.environ["BASE_URL"]
shop = ExternalApi(ApiClient(Configuration(host=host, api_key={"apiKey": os.environ["API_KEY"]})))
created = shop.external_create_shipment(
    ExternalShipmentRequest(
        recipient=ExternalRecipient(
            first_name="Amina",
            phone_number="+33612345678",
            address=ExternalAddress(street="1 rue de Rivoli", city="Paris"),
        ),
        cod_amount="49.90",
    )
)
while shop.external_read_shipment(created.id).status == "processing":
    time.sleep(0.1)

credentials = Credentials(email=os.environ["EMAIL"], password=os.environ["PASSWORD"])
tokens = AuthenticationApi(ApiClient(Configuration(host=host))).auth_login(credentials)
signed_in = ApiClient(Configuration(host=host, access_token=tokens.token))
tasks = TasksApi(signed_in)
driver = DriversApi(signed_in).drivers_list(is_available=True).member[0]
task = tasks.tasks_list(shipment=str(created.id)).member[0]
for request in (
    TransitionRequest(transition="assign", driver=str(driver.id)),
    TransitionRequest(transition="start_delivery"),
    TransitionRequest(transition="deliver", proof=Proof(received_by="Amina")),
):
    tasks.tasks_transition(task.id, request)
end = shop.external_read_shipment(created.id)
print(end.status, end.tracking_number, end.driver.name)
