package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"example.com/shop/shipments"
)

func must[Data any](data *Data, answer *http.Response, err error) *Data {
	if err != nil {
		fmt.Fprintln(os.Stderr, answer, err)
		os.Exit(1)
	}
	return data
}

func main() {
	configuration := shipments.NewConfiguration()
	configuration.Servers = shipments.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := shipments.NewAPIClient(configuration)
	keys := map[string]shipments.APIKey{"apiKey": {Key: os.Getenv("API_KEY")}}
	shop := context.WithValue(context.Background(), shipments.ContextAPIKeys, keys)

	address := shipments.NewExternalAddress("1 rue de Rivoli", "Paris")
	recipient := shipments.NewExternalRecipient("Amina", "+33612345678")
	recipient.SetAddress(*address)
	request := shipments.NewExternalShipmentRequest(*recipient)
	request.SetCodAmount("49.90")
	created := must(client.ExternalAPI.ExternalCreateShipment(shop).ExternalShipmentRequest(*request).Execute())
	read := func() *shipments.ExternalShipment {
		return must(client.ExternalAPI.ExternalReadShipment(shop, created.Id).Execute())
	}
	for read().Status == "processing" {
		time.Sleep(100 * time.Millisecond)
	}

	credentials := shipments.NewCredentials(os.Getenv("EMAIL"), os.Getenv("PASSWORD"))
	tokens := must(client.AuthenticationAPI.AuthLogin(context.Background()).Credentials(*credentials).Execute())
	dashboard := context.WithValue(context.Background(), shipments.ContextAccessToken, tokens.Token)
	driver := must(client.DriversAPI.DriversList(dashboard).IsAvailable(true).Execute()).Member[0]
	task := must(client.TasksAPI.TasksList(dashboard).Shipment(created.Id).Execute()).Member[0]

	assign := shipments.NewTransitionRequest("assign")
	assign.SetDriver(driver.Id)
	deliver := shipments.NewTransitionRequest("deliver")
	proof := shipments.NewProof()
	proof.SetReceivedBy("Amina")
	deliver.SetProof(*proof)
	for _, transition := range []*shipments.TransitionRequest{assign, shipments.NewTransitionRequest("start_delivery"), deliver} {
		must(client.TasksAPI.TasksTransition(dashboard, task.Id).TransitionRequest(*transition).Execute())
	}
	end := read()
	fmt.Println(end.Status, end.GetTrackingNumber(), end.Driver.Get().Name)
}
