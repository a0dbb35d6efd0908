// A shop's server in Go without any module: BASE=https://…/api/v1 API_KEY=sds_… go run shop.go order-1001
// It creates a shipment and follows it to its end. A webhook receiver (receiver.go) hears of it without asking.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

const attempts = 5

var client = http.Client{Timeout: 10 * time.Second}

type shipment struct {
	ID             string  `json:"id"`
	TrackingNumber string  `json:"trackingNumber"`
	Status         string  `json:"status"`
	Driver         *driver `json:"driver"`
}

type driver struct {
	Name string `json:"name"`
}

// call repeats the request while there is no answer, and after 429 and 5xx; Retry-After says how long to wait.
func call(method, path string, body any, idempotencyKey string) shipment {
	data := []byte{}
	if body != nil {
		var err error
		data, err = json.Marshal(body)
		check(err)
	}
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequest(method, os.Getenv("BASE")+path, bytes.NewReader(data))
		check(err)
		request.Header.Set("X-API-KEY", os.Getenv("API_KEY"))
		request.Header.Set("Content-Type", "application/json")
		if idempotencyKey != "" {
			request.Header.Set("Idempotency-Key", idempotencyKey)
		}
		waitSeconds := 1 << attempt
		answer, text, err := send(request)
		if err == nil {
			if answer.StatusCode < 300 {
				var result shipment
				check(json.Unmarshal(text, &result))
				return result
			}
			// A problem document: `detail` says what is wrong, `violations` lists it field by field.
			err = fmt.Errorf("%d %s", answer.StatusCode, text)
			if answer.StatusCode != 429 && answer.StatusCode < 500 {
				check(err)
			}
			if seconds, notGiven := strconv.Atoi(answer.Header.Get("Retry-After")); notGiven == nil {
				waitSeconds = seconds
			}
		}
		if attempt == attempts {
			check(err)
		}
		time.Sleep(time.Duration(waitSeconds) * time.Second)
	}
}

func send(request *http.Request) (*http.Response, []byte, error) {
	answer, err := client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer, text, err
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	order := "order-1001"
	if len(os.Args) > 1 {
		order = os.Args[1]
	}
	pollSeconds, err := strconv.ParseFloat(os.Getenv("POLL_SECONDS"), 64)
	if err != nil {
		pollSeconds = 30
	}
	// The key makes the repetition safe: the order's own number, so that a shop that crashed repeats the same request.
	created := call("POST", "/external/shipments", map[string]any{
		"recipient": map[string]any{
			"firstName":   "Amina",
			"phoneNumber": "+33612345678",
			"address":     map[string]any{"street": "1 rue de Rivoli", "city": "Paris", "postalCode": "75001"},
		},
		"codAmount":         "49.90",
		"externalReference": order,
	}, order)
	fmt.Println("created", created.ID)

	status := ""
	for status != "delivered" && status != "returned" && status != "cancelled" {
		now := call("GET", "/external/shipments/"+created.ID, nil, "")
		if now.Status != status {
			name := ""
			if now.Driver != nil {
				name = now.Driver.Name
			}
			fmt.Println(now.TrackingNumber, now.Status, name)
		}
		status = now.Status
		time.Sleep(time.Duration(pollSeconds * float64(time.Second)))
	}
}
