// A webhook receiver in Go without any module: WEBHOOK_SECRET=whsec_… PORT=9000 go run receiver.go
// Put it behind HTTPS: the service sends to https:// addresses alone.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type event struct {
	ShipmentID     string `json:"shipmentId"`
	TrackingNumber string `json:"trackingNumber"`
	Status         string `json:"status"`
	TaskType       string `json:"taskType"`
	TaskStatus     string `json:"taskStatus"`
	UpdatedAt      string `json:"updatedAt"`
}

var secret = []byte(os.Getenv("WEBHOOK_SECRET"))
var seen sync.Map

// A request that someone recorded and repeats later than this is rejected.
const tolerance = 5 * time.Minute

// The header is t=<seconds>,v1=<hex>, with one v1 for each secret that is valid.
func isGenuine(rawBody []byte, header string) bool {
	parts := strings.Split(header, ",")
	text := strings.TrimPrefix(parts[0], "t=")
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	signature := hmac.New(sha256.New, secret)
	signature.Write([]byte(text + "."))
	signature.Write(rawBody)
	expected := []byte("v1=" + hex.EncodeToString(signature.Sum(nil)))
	for _, given := range parts[1:] {
		if hmac.Equal(expected, []byte(given)) {
			return true
		}
	}
	return false
}

func receive(response http.ResponseWriter, request *http.Request) {
	// The signature is over these very bytes: parse them only after it was checked.
	rawBody, err := io.ReadAll(request.Body)
	if err != nil || !isGenuine(rawBody, request.Header.Get("X-Service-Timestamped-Signature")) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	// Answer first, work afterwards: there are ten seconds.
	response.WriteHeader(http.StatusNoContent)
	go work(rawBody)
}

func work(rawBody []byte) {
	var sent event
	if err := json.Unmarshal(rawBody, &sent); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	if _, isKnown := seen.LoadOrStore(sent.ShipmentID+" "+sent.TaskStatus+" "+sent.UpdatedAt, true); isKnown {
		return
	}
	fmt.Println(sent.UpdatedAt, sent.TrackingNumber, sent.Status, sent.TaskType, sent.TaskStatus)
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "9000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		panic(err)
	}
	fmt.Println("listening")
	panic(http.Serve(listener, http.HandlerFunc(receive)))
}
