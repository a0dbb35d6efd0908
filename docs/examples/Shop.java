import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A shop's server in Java 17 without any package: BASE=https://…/api/v1 API_KEY=sds_… java Shop.java order-1001
 * It creates a shipment and follows it to its end. A webhook receiver (Receiver.java) hears of it without asking.
 */
public class Shop {
    static final int ATTEMPTS = 5;
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** Repeats the request while there is no answer, and after 429 and 5xx; Retry-After says how long to wait. */
    static String call(String method, String path, String body, String... headers) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(System.getenv("BASE") + path))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .timeout(Duration.ofSeconds(10))
                .headers("X-API-KEY", System.getenv("API_KEY"), "Content-Type", "application/json");
        if (headers.length > 0) request.headers(headers);
        for (int attempt = 1; ; attempt++) {
            long waitSeconds = 1L << attempt;
            boolean isTemporary = true;
            String problem;
            try {
                HttpResponse<String> answer = CLIENT.send(request.build(), BodyHandlers.ofString());
                int status = answer.statusCode();
                if (status < 300) return answer.body();
                // A problem document: `detail` says what is wrong, `violations` lists it field by field.
                problem = status + " " + answer.body();
                isTemporary = status == 429 || status >= 500;
                waitSeconds = answer.headers().firstValueAsLong("Retry-After").orElse(waitSeconds);
            } catch (IOException error) {
                problem = "no answer: " + error;
            }
            if (!isTemporary || attempt == ATTEMPTS) {
                System.err.println(problem);
                System.exit(1);
            }
            Thread.sleep(1_000 * waitSeconds);
        }
    }

    /** The first text under this name. Java has no JSON reader of its own: a real shop uses its library. */
    static String textOf(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        return found.find() ? found.group(1) : "";
    }

    public static void main(String[] arguments) throws InterruptedException {
        String order = arguments.length > 0 ? arguments[0] : "order-1001";
        String pollSeconds = System.getenv().getOrDefault("POLL_SECONDS", "30");
        String shipment = """
                {
                  "recipient": {
                    "firstName": "Amina",
                    "phoneNumber": "+33612345678",
                    "address": { "street": "1 rue de Rivoli", "city": "Paris", "postalCode": "75001" }
                  },
                  "codAmount": "49.90",
                  "externalReference": "%s"
                }
                """.formatted(order);
        // The key makes the repetition safe: the order's own number, so that a shop that crashed repeats the same request.
        String id = textOf(call("POST", "/external/shipments", shipment, "Idempotency-Key", order), "id");
        System.out.println("created " + id);

        String status = "";
        while (!List.of("delivered", "returned", "cancelled").contains(status)) {
            String now = call("GET", "/external/shipments/" + id, null);
            String next = textOf(now, "status");
            if (!next.equals(status)) {
                System.out.println(textOf(now, "trackingNumber") + " " + next + " " + textOf(now, "name"));
            }
            status = next;
            Thread.sleep((long) (1_000 * Double.parseDouble(pollSeconds)));
        }
    }
}
