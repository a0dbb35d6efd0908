import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AuthenticationApi;
import org.openapitools.client.api.DriversApi;
import org.openapitools.client.api.DriversApi.APIDriversListRequest;
import org.openapitools.client.api.ExternalApi;
import org.openapitools.client.api.TasksApi;
import org.openapitools.client.api.TasksApi.APITasksListRequest;
import org.openapitools.client.model.Credentials;
import org.openapitools.client.model.ExternalAddress;
import org.openapitools.client.model.ExternalRecipient;
import org.openapitools.client.model.ExternalShipment;
import org.openapitools.client.model.ExternalShipmentRequest;
import org.openapitools.client.model.Proof;
import org.openapitools.client.model.TransitionRequest;
import org.openapitools.client.model.TransitionRequest.TransitionEnum;

public class Drive {
    static ApiClient client(String header, String value) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("BASE_URL"));
        if (header != null) client.setRequestInterceptor(request -> request.header(header, value));
        return client;
    }

    public static void main(String[] arguments) throws Exception {
        ExternalApi shop = new ExternalApi(client("X-API-KEY", System.getenv("API_KEY")));
        ExternalShipmentRequest order = new ExternalShipmentRequest()
                .recipient(new ExternalRecipient()
                        .firstName("Amina")
                        .phoneNumber("+33612345678")
                        .address(new ExternalAddress().street("1 rue de Rivoli").city("Paris")))
                .codAmount("49.90");
        UUID id = shop.externalCreateShipment(order, null, null).getId();
        while (shop.externalReadShipment(id, null).getStatus().getValue().equals("processing")) Thread.sleep(100);

        Credentials credentials = new Credentials().email(System.getenv("EMAIL")).password(System.getenv("PASSWORD"));
        String token = new AuthenticationApi(client(null, null)).authLogin(credentials, null).getToken();
        ApiClient dashboard = client("Authorization", "Bearer " + token);
        TasksApi tasks = new TasksApi(dashboard);
        APIDriversListRequest available = APIDriversListRequest.newBuilder().isAvailable(true).build();
        String driver = new DriversApi(dashboard).driversList(available).getMember().get(0).getId().toString();
        APITasksListRequest ofShipment = APITasksListRequest.newBuilder().shipment(id.toString()).build();
        UUID task = tasks.tasksList(ofShipment).getMember().get(0).getId();
        List<TransitionRequest> transitions = List.of(
                new TransitionRequest().transition(TransitionEnum.ASSIGN).driver(driver),
                new TransitionRequest().transition(TransitionEnum.START_DELIVERY),
                new TransitionRequest().transition(TransitionEnum.DELIVER).proof(new Proof().receivedBy("Amina")));
        for (TransitionRequest transition : transitions) tasks.tasksTransition(task, transition, null, null, null);
        ExternalShipment end = shop.externalReadShipment(id, null);
        System.out.println(end.getStatus().getValue() + " " + end.getTrackingNumber() + " " + end.getDriver().getName());
    }
}
