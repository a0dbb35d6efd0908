import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A webhook receiver in Java 17 without any package: WEBHOOK_SECRET=whsec_… PORT=9000 java Receiver.java
 * Put it behind HTTPS: the service sends to https:// addresses alone.
 */
public class Receiver {
    static final byte[] SECRET = System.getenv("WEBHOOK_SECRET").getBytes(StandardCharsets.UTF_8);
    static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    /** A request that someone recorded and repeats later than this is rejected. */
    static final long TOLERANCE_SECONDS = 300;
    static final Pattern SECONDS = Pattern.compile("t=(\\d{1,12})");

    /** The header is t=<seconds>,v1=<hex>, with one v1 for each secret that is valid. */
    static boolean isGenuine(byte[] rawBody, String header) {
        if (header == null) return false;
        String[] parts = header.split(",");
        Matcher seconds = SECONDS.matcher(parts[0]);
        if (!seconds.matches()) return false;
        long age = Instant.now().getEpochSecond() - Long.parseLong(seconds.group(1));
        if (Math.abs(age) > TOLERANCE_SECONDS) return false;
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
            mac.update((seconds.group(1) + ".").getBytes(StandardCharsets.UTF_8));
            String expected = "v1=" + HexFormat.of().formatHex(mac.doFinal(rawBody));
            return Arrays.stream(parts).skip(1).anyMatch(given -> isEqual(expected, given));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Compares in constant time. */
    static boolean isEqual(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    static void receive(HttpExchange exchange) throws IOException {
        // The signature is over these very bytes: parse them only after it was checked.
        byte[] rawBody = exchange.getRequestBody().readAllBytes();
        boolean isGenuine = isGenuine(rawBody, exchange.getRequestHeaders().getFirst("X-Service-Timestamped-Signature"));
        // Answer first, work afterwards: there are ten seconds.
        exchange.sendResponseHeaders(isGenuine ? 204 : 401, -1);
        exchange.close();
        if (isGenuine) work(new String(rawBody, StandardCharsets.UTF_8));
    }

    static void work(String event) {
        String updatedAt = textOf(event, "updatedAt");
        String taskStatus = textOf(event, "taskStatus");
        if (!SEEN.add(textOf(event, "shipmentId") + " " + taskStatus + " " + updatedAt)) return;
        System.out.println(String.join(
                " ", updatedAt, textOf(event, "trackingNumber"), textOf(event, "status"), textOf(event, "taskType"), taskStatus));
    }

    /** The text under this name. Java has no JSON reader of its own: a real receiver uses its library. */
    static String textOf(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        return found.find() ? found.group(1) : "";
    }

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "9000"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", Receiver::receive);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        System.out.println("listening");
    }
}
