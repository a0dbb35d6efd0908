import os
import time

from client import AuthenticatedClient, Client
from client.api.authentication import auth_login
from client.api.drivers import drivers_list
from client.api.external import external_create_shipment, external_read_shipment
from client.api.tasks import tasks_list, tasks_transition
from client.models import Credentials, ExternalAddress, ExternalRecipient, ExternalShipmentRequest, Proof, TransitionRequest
from client.models.transition_request_transition import TransitionRequestTransition

host = os.environ["BASE_URL"]
key = os.environ["API_KEY"]
shop = AuthenticatedClient(
    base_url=host, token=key, prefix="", auth_header_name="X-API-KEY", raise_on_unexpected_status=True
)
shipment = ExternalShipmentRequest(
    recipient=ExternalRecipient(
        first_name="Amina",
        phone_number="+33612345678",
        address=ExternalAddress(street="1 rue de Rivoli", city="Paris"),
    ),
    cod_amount="49.90",
)
created = external_create_shipment.sync(client=shop, body=shipment)
while external_read_shipment.sync(created.id, client=shop).status == "processing":
    time.sleep(0.1)

credentials = Credentials(email=os.environ["EMAIL"], password=os.environ["PASSWORD"])
tokens = auth_login.sync(client=Client(base_url=host), body=credentials)
signed_in = AuthenticatedClient(base_url=host, token=tokens.token, raise_on_unexpected_status=True)
driver = drivers_list.sync(client=signed_in, is_available=True).member[0]
task = tasks_list.sync(client=signed_in, shipment=str(created.id)).member[0]
for request in (
    TransitionRequest(transition=TransitionRequestTransition.ASSIGN, driver=str(driver.id)),
    TransitionRequest(transition=TransitionRequestTransition.START_DELIVERY),
    TransitionRequest(transition=TransitionRequestTransition.DELIVER, proof=Proof(received_by="Amina")),
):
    moved = tasks_transition.sync_detailed(task.id, client=signed_in, body=request)
    assert moved.status_code == 200, moved
end = external_read_shipment.sync(created.id, client=shop)
print(end.status, end.tracking_number, end.driver.name)
