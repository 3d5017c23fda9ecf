#include <gmock/gmock.h>

#include "service/api/test_service.hpp"

namespace spineweave::service::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

TEST(Events, AStreamBeginsWithTheStateAndFollowsRevisions) {
  const TestService service;
  Client stream(service.port());
  stream.send(request_text("GET", "/v1/events", "", ""));
  const Answer head = stream.receive_head();
  EXPECT_EQ(head.status, 200);
  EXPECT_THAT(head.headers, Contains(Pair("content-type", "text/event-stream")));
  EXPECT_THAT(stream.receive_until("\n\n"), AllOf(HasSubstr("event: state"), HasSubstr("\"revision\":0")));
  (void)service.put_fabric_and_job();
  const std::string seen = stream.receive_until("event: assessed");
  EXPECT_THAT(seen, AllOf(HasSubstr("event: changed"), HasSubstr("\"subject\":\"ring\""), HasSubstr("event: routed"),
                          HasSubstr("\"moves\":8")));
}

TEST(Events, ManyStreamsGetTheSame) {
  const TestService service;
  std::vector<std::unique_ptr<Client>> streams;
  for (int i = 0; i < 50; ++i) {
    streams.push_back(std::make_unique<Client>(service.port()));
    streams.back()->send(request_text("GET", "/v1/events", "", ""));
    (void)streams.back()->receive_until("event: state");
  }
  (void)service.put_fabric_and_job();
  for (const auto& stream : streams) EXPECT_THAT(stream->receive_until("event: routed"), HasSubstr("event: routed"));
}

TEST(Events, AStreamEndsWhenTheServiceStops) {
  Client* open = nullptr;
  std::unique_ptr<Client> stream;
  {
    const TestService service;
    stream = std::make_unique<Client>(service.port());
    open = stream.get();
    open->send(request_text("GET", "/v1/events", "", ""));
    (void)open->receive_until("event: state");
  }
  EXPECT_THAT(open->receive_until("0\r\n\r\n"), HasSubstr("0\r\n\r\n")) << "the last chunk";
}

TEST(Events, AnOldProtocolIsToldThatItCannotFollow) {
  const TestService service;
  Client client(service.port());
  client.send("GET /v1/events HTTP/1.0\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.receive().status, 505);
}

}  // namespace
}  // namespace spineweave::service::test
