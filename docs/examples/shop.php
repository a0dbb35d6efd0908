<?php
// A shop's server in PHP without any package: BASE=https://…/api/v1 API_KEY=sds_… php shop.php order-1001
// It creates a shipment and follows it to its end. A webhook receiver (receiver.php) hears of it without asking.

const ATTEMPTS = 5;
$order = $argv[1] ?? 'order-1001';

/** Repeats the request while there is no answer, and after 429 and 5xx; Retry-After says how long to wait. */
function call(string $method, string $path, ?array $body = null, array $headers = []): array
{
    $sent = ['X-API-KEY: ' . getenv('API_KEY'), 'Content-Type: application/json', ...$headers];
    $http = ['method' => $method, 'header' => $sent, 'timeout' => 10, 'ignore_errors' => true];
    if ($body !== null) {
        $http['content'] = json_encode($body, JSON_THROW_ON_ERROR);
    }
    for ($attempt = 1; ; $attempt++) {
        $http_response_header = [];
        $answer = @file_get_contents(getenv('BASE') . $path, false, stream_context_create(['http' => $http]));
        $received = implode("\n", $http_response_header);
        $status = preg_match('/^HTTP\/\S+ (\d{3})/', $received, $found) ? (int) $found[1] : 0;
        if ($status >= 200 && $status < 300) {
            return json_decode($answer, true, 512, JSON_THROW_ON_ERROR);
        }
        $isTemporary = $status === 0 || $status === 429 || $status >= 500;
        if (!$isTemporary || $attempt === ATTEMPTS) {
            // A problem document: `detail` says what is wrong, `violations` lists it field by field.
            fwrite(STDERR, ($status === 0 ? 'no answer' : $status) . ' ' . $answer . "\n");
            exit(1);
        }
        sleep(preg_match('/^retry-after: *(\d+)/im', $received, $found) ? (int) $found[1] : 2 ** $attempt);
    }
}

$shipment = [
    'recipient' => [
        'firstName' => 'Amina',
        'phoneNumber' => '+33612345678',
        'address' => ['street' => '1 rue de Rivoli', 'city' => 'Paris', 'postalCode' => '75001'],
    ],
    'codAmount' => '49.90',
    'externalReference' => $order,
];
// The key makes the repetition safe: the order's own number, so that a shop that crashed repeats the same request.
['id' => $id] = call('POST', '/external/shipments', $shipment, ["Idempotency-Key: $order"]);
echo "created $id\n";

$status = null;
while (!in_array($status, ['delivered', 'returned', 'cancelled'], true)) {
    $now = call('GET', "/external/shipments/$id");
    if ($now['status'] !== $status) {
        echo implode(' ', [$now['trackingNumber'], $now['status'], $now['driver']['name'] ?? '']), "\n";
    }
    $status = $now['status'];
    usleep((int) (1_000_000 * (float) (getenv('POLL_SECONDS') ?: '30')));
}
