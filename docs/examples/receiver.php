<?php
// A webhook receiver in PHP: WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:9000 receiver.php
// Put it behind HTTPS: the service sends to https:// addresses alone.

/** A request that someone recorded and repeats later than this is rejected. */
const TOLERANCE_SECONDS = 300;

/** The header is t=<seconds>,v1=<hex>, with one v1 for each secret that is valid. */
function isGenuine(string $rawBody, string $header): bool
{
    $signatures = [];
    $seconds = '';
    foreach (explode(',', $header) as $part) {
        [$name, $value] = explode('=', $part, 2) + [1 => ''];
        if ($name === 't') $seconds = $value;
        if ($name === 'v1') $signatures[] = $value;
    }
    if (!ctype_digit($seconds) || abs(time() - (int) $seconds) > TOLERANCE_SECONDS) return false;
    $expected = hash_hmac('sha256', "$seconds.$rawBody", getenv('WEBHOOK_SECRET'));
    foreach ($signatures as $given) if (hash_equals($expected, $given)) return true;
    return false;
}

// The signature is over these very bytes: parse them only after it was checked.
$rawBody = file_get_contents('php://input');
if (!isGenuine($rawBody, $_SERVER['HTTP_X_SERVICE_TIMESTAMPED_SIGNATURE'] ?? '')) {
    http_response_code(401);
    return;
}

http_response_code(204);
$event = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
// Remember this key in your database and skip what it has seen: a retry after a timeout is the same event again.
$key = $event['shipmentId'] . ' ' . $event['taskStatus'] . ' ' . $event['updatedAt'];
error_log(implode(' ', [$event['updatedAt'], $event['trackingNumber'], $event['status'], $event['taskType'], $event['taskStatus']]));
