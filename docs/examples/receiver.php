<?php
// A webhook receiver in PHP: WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:9000 receiver.php
// Put it behind HTTPS: the service sends to https:// addresses alone.

// The signature is over these very bytes: parse them only after it was checked.
$rawBody = file_get_contents('php://input');
$expected = 'sha256=' . hash_hmac('sha256', $rawBody, getenv('WEBHOOK_SECRET'));
if (!hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
    http_response_code(401);
    return;
}

http_response_code(204);
$event = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
// Remember this key in your database and skip what it has seen: a retry after a timeout is the same event again.
$key = $event['shipmentId'] . ' ' . $event['taskStatus'] . ' ' . $event['updatedAt'];
error_log(implode(' ', [$event['updatedAt'], $event['trackingNumber'], $event['status'], $event['taskType'], $event['taskStatus']]));
