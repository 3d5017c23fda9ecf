// The server by itself: requests and responses, limits, slow clients, draining.
#include <gmock/gmock.h>

#include <future>

#include "service/http/test_server.hpp"
#include "service/support/client.hpp"

namespace spineweave::service::http::test {
namespace {

using namespace std::chrono_literals;
using service::test::Answer;
using service::test::ask;
using service::test::Client;
using service::test::gzip;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::Pair;

// A gate that a handler waits at, so that tests decide when it goes on.
class Gate {
 public:
  void wait() { opened_.get_future().wait(); }
  void open() { opened_.set_value(); }

 private:
  std::promise<void> opened_;
};

TEST(Server, AnswersManyRequestsOverOneConnection) {
  TestServer server;
  Client client(server.port());
  for (int i = 0; i < 3; ++i) {
    const Answer answer = client.ask("GET", "/hello");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "\"hello\"");
    EXPECT_THAT(answer.headers, Contains(Pair("content-type", "application/json")));
  }
}

TEST(Server, AnswersPipelinedRequestsInTheirOrder) {
  TestServer server;
  Client client(server.port());
  client.send(service::test::request_text("GET", "/things/a", "", "") +
              service::test::request_text("GET", "/things/b", "", ""));
  EXPECT_EQ(client.receive().body, "a");
  EXPECT_EQ(client.receive().body, "b");
}

TEST(Server, ClosesTheConnectionWhereTheClientAsksForThat) {
  TestServer server;
  Client client(server.port());
  const Answer answer = client.ask("GET", "/hello", "", "Connection: close\r\n");
  EXPECT_THAT(answer.headers, Contains(Pair("connection", "close")));
  EXPECT_TRUE(client.is_closed());
}

TEST(Server, HeadHasTheHeadOfGetAndNoBody) {
  TestServer server;
  Client client(server.port());
  const Answer answer = client.ask("HEAD", "/hello");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.headers, Contains(Pair("content-length", "7")));
  EXPECT_EQ(client.ask("GET", "/hello").body, "\"hello\"") << "nothing of a body came in between";
}

TEST(Server, AnUnknownPathIsAProblemThatNamesIt) {
  TestServer server;
  const Answer answer = ask(server.port(), "GET", "/nowhere");
  EXPECT_EQ(answer.status, 404);
  EXPECT_THAT(answer.headers, Contains(Pair("content-type", "application/problem+json")));
  EXPECT_THAT(answer.body, AllOf(HasSubstr("urn:spineweave:problem:no-such-path"), HasSubstr("/nowhere")));
}

TEST(Server, AMethodThatAPathDoesNotTakeIsRefusedWithThoseThatItTakes) {
  TestServer server;
  const Answer answer = ask(server.port(), "DELETE", "/things/a");
  EXPECT_EQ(answer.status, 405);
  EXPECT_THAT(answer.headers, Contains(Pair("allow", AllOf(HasSubstr("GET"), HasSubstr("HEAD"), HasSubstr("PUT")))));
  EXPECT_EQ(ask(server.port(), "BREW", "/things/a").status, 501);
  EXPECT_EQ(ask(server.port(), "OPTIONS", "/things/a").status, 204);
}

TEST(Server, ParametersOfPathsAreDecodedAfterTheSplit) {
  TestServer server;
  EXPECT_EQ(ask(server.port(), "GET", "/things/leaf0-%3Espine3%231%2Fx").body, "leaf0->spine3#1/x");
  EXPECT_EQ(ask(server.port(), "GET", "/things/%zz").status, 404);
  EXPECT_EQ(ask(server.port(), "GET", "/things/%00").status, 404);
}

TEST(Server, ReadsBodiesOfAnyFraming) {
  TestServer server;
  EXPECT_EQ(ask(server.port(), "PUT", "/things/a", "plain").body, "a=plain");
  Client client(server.port());
  client.send("PUT /things/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  client.send("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
  EXPECT_EQ(client.receive().body, "a=abcde");
  client.send("PUT /things/a HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.receive_head().status, 100);
  client.send("ok");
  EXPECT_EQ(client.receive().body, "a=ok");
}

TEST(Server, InflatesGzipDeclaredOrNot) {
  TestServer server;
  const std::string body = gzip("inflated");
  EXPECT_EQ(ask(server.port(), "PUT", "/things/a", body, "Content-Encoding: gzip\r\n").body, "a=inflated");
  EXPECT_EQ(ask(server.port(), "PUT", "/things/a", body).body, "a=inflated");
  EXPECT_EQ(ask(server.port(), "PUT", "/things/a", "plain", "Content-Encoding: gzip\r\n").status, 400);
  EXPECT_EQ(ask(server.port(), "PUT", "/things/a", body.substr(0, body.size() / 2)).status, 400);
  EXPECT_EQ(ask(server.port(), "PUT", "/things/a", "x", "Content-Encoding: br\r\n").status, 415);
}

TEST(Server, EveryLimitHasItsOwnProblem) {
  ServerOptions options;
  options.limits.header_bytes = 1024;
  options.limits.body_bytes = 1000;
  options.limits.inflated_bytes = 5000;
  TestServer server(options);
  const std::uint16_t port = server.port();
  const auto problem = [&](const Answer& answer) { return std::to_string(answer.status) + answer.body; };
  EXPECT_THAT(problem(ask(port, "GET", "/hello", "", "X: " + std::string(2000, 'x') + "\r\n")),
              AllOf(HasSubstr("431"), HasSubstr("head-too-long"), HasSubstr("1024")));
  EXPECT_THAT(problem(ask(port, "PUT", "/things/a", std::string(1001, 'x'))),
              AllOf(HasSubstr("413"), HasSubstr("body-too-long"), HasSubstr("1000")));
  Client chunks(port);
  chunks.send("PUT /things/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 4; ++i) chunks.send("190\r\n" + std::string(400, 'x') + "\r\n");
  EXPECT_THAT(problem(chunks.receive()), AllOf(HasSubstr("413"), HasSubstr("body-too-long")));
  EXPECT_THAT(problem(ask(port, "PUT", "/things/a", gzip(std::string(5001, 'x')))),
              AllOf(HasSubstr("413"), HasSubstr("inflated-body-too-long"), HasSubstr("5000")));
  EXPECT_EQ(ask(port, "PUT", "/things/a", std::string(1000, 'x')).status, 201);
}

TEST(Server, ABodyThatIsClaimedTooLongIsRefusedBeforeItIsSent) {
  TestServer server;
  Client client(server.port());
  client.send("PUT /things/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n");
  EXPECT_EQ(client.receive().status, 413);
  EXPECT_TRUE(client.is_closed()) << "what follows could not be told from the next request";
}

TEST(Server, WhatIsNoHttpIsRefused) {
  TestServer server;
  for (const char* text :
       {"\r\n\r\n\r\n", "GET\r\n\r\n", "GET /hello HTTP/9.9\r\n\r\n", "GET /hello HTTP/1.1\r\nno colon\r\n\r\n",
        "PUT /things/a HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "PUT /things/a HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "PUT /things/a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
    Client client(server.port());
    client.send(text);
    EXPECT_EQ(client.receive().status, 400) << text;
  }
  EXPECT_EQ(ask(server.port(), "GET", "hello").status, 400);
  Client without_host(server.port());
  without_host.send("GET /hello HTTP/1.1\r\n\r\nGET /hello HTTP/1.0\r\n\r\n");
  EXPECT_EQ(without_host.receive().status, 400);
  EXPECT_EQ(without_host.receive().status, 200) << "HTTP/1.0 does not ask for one";
}

TEST(Server, ARequestHasOneDeadlineHoweverItDrips) {
  ServerOptions options;
  options.limits.request = 300ms;
  TestServer server(options);
  Client client(server.port());
  // A byte every 20 ms would please any limit on the time between two bytes.
  bool is_open = client.send("PUT /things/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n");
  for (int i = 0; i < 1000 && is_open && server.seen().empty(); ++i) {
    std::this_thread::sleep_for(20ms);
    is_open = client.send("x");
  }
  const Answer answer = client.receive();
  EXPECT_EQ(answer.status, 408);
  EXPECT_THAT(answer.body, AllOf(HasSubstr("too-slow"), HasSubstr("300 ms")));
}

TEST(Server, IdleConnectionsAreClosedWithoutAWord) {
  ServerOptions options;
  options.limits.idle = 100ms;
  TestServer server(options);
  EXPECT_TRUE(Client(server.port()).is_closed());
  Client client(server.port());
  EXPECT_EQ(client.ask("GET", "/hello").status, 200);
  EXPECT_TRUE(client.is_closed());
}

TEST(Server, HundredsOfSilentAndSlowClientsDelayNobody) {
  TestServer server;
  std::vector<std::unique_ptr<Client>> others;
  for (int i = 0; i < 300; ++i) {
    others.push_back(std::make_unique<Client>(server.port()));
    if (i % 2 == 0) others.back()->send("GET /hel");
  }
  EXPECT_EQ(ask(server.port(), "GET", "/hello").status, 200);
  others.front()->send("lo HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(others.front()->receive().status, 200) << "slow ones are served, too";
}

TEST(Server, TurnsAwayMoreConnectionsThanItMayHave) {
  ServerOptions options;
  options.limits.connections = 2;
  TestServer server(options);
  auto first = std::make_unique<Client>(server.port());
  Client second(server.port());
  EXPECT_EQ(first->ask("GET", "/hello").status, 200);
  EXPECT_EQ(second.ask("GET", "/hello").status, 200);
  Client third(server.port());
  const Answer answer = third.receive();
  EXPECT_EQ(answer.status, 503);
  EXPECT_THAT(answer.body, HasSubstr("too-many-connections"));
  first.reset();
  while (server.server().load().connections > 1) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(ask(server.port(), "GET", "/hello").status, 200) << "there is room again";
}

TEST(Server, ASecondServerOnThePortIsRefused) {
  TestServer server;
  ServerOptions options;
  options.port = server.port();
  const Router router;
  try {
    const Server second(options, router, Hooks{explain});
    FAIL() << "two servers share a port";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(std::to_string(options.port)), HasSubstr("in use")));
  }
}

TEST(Server, AnAddressThatIsNoneIsRefused) {
  ServerOptions options;
  options.address = "localhost:80";
  const Router router;
  EXPECT_THROW(Server(options, router, Hooks{explain}), Error);
}

TEST(Server, LongWorkDelaysNobodyAndTheQueueIsBounded) {
  ServerOptions options;
  options.limits.workers = 1;
  options.limits.queued = 2;
  const auto gate = std::make_shared<Gate>();
  TestServer server(
      options, {{Method::get,
                 "/long",
                 on_worker([gate](const Request&) -> Reply {
                   gate->wait();
                   return respond(200, "done");
                 }),
                 {}},
                {Method::get, "/short", on_worker([](const Request&) -> Reply { return respond(200, "done"); }), {}}});
  Client first(server.port());
  Client second(server.port());
  first.send(service::test::request_text("GET", "/long", "", ""));
  while (server.server().load().queued < 1) std::this_thread::sleep_for(1ms);
  second.send(service::test::request_text("GET", "/short", "", ""));
  while (server.server().load().queued < 2) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(ask(server.port(), "GET", "/hello").status, 200);
  const Answer refused = ask(server.port(), "GET", "/short");
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(refused.body, HasSubstr("queue-full"));
  EXPECT_THAT(refused.headers, Contains(Key("retry-after")));
  gate->open();
  EXPECT_EQ(first.receive().body, "done");
  EXPECT_EQ(second.receive().body, "done");
}

TEST(Server, WhatHandlersThrowBecomesAProblemAndTheServerGoesOn) {
  TestServer server(
      {},
      {{Method::get,
        "/input",
        [](const Request&) -> Reply { throw Error(ErrorCode::bad_input, "links.csv:17: capacity_gbps is -100"); },
        {}},
       {Method::get, "/broken", on_worker([](const Request&) -> Reply { throw std::runtime_error("a bug"); }), {}}});
  const Answer answer = ask(server.port(), "GET", "/input");
  EXPECT_EQ(answer.status, 422);
  EXPECT_THAT(answer.body, HasSubstr("links.csv:17: capacity_gbps is -100"));
  EXPECT_EQ(ask(server.port(), "GET", "/broken").status, 500);
  EXPECT_EQ(ask(server.port(), "GET", "/hello").status, 200);
}

TEST(Server, DrainingAnswersWhatIsUnderWayAndClosesTheRest) {
  const auto gate = std::make_shared<Gate>();
  TestServer server({}, {{Method::get,
                          "/long",
                          on_worker([gate](const Request&) -> Reply {
                            gate->wait();
                            return respond(200, "done");
                          }),
                          {}}});
  Client idle(server.port());
  EXPECT_EQ(idle.ask("GET", "/hello").status, 200);
  Client busy(server.port());
  busy.send(service::test::request_text("GET", "/long", "", ""));
  while (server.server().load().queued < 1) std::this_thread::sleep_for(1ms);
  server.server().drain();
  EXPECT_TRUE(idle.is_closed());
  EXPECT_THROW(Client(server.port()), std::runtime_error) << "nobody is let in any more";
  gate->open();
  const Answer answer = busy.receive();
  EXPECT_EQ(answer.body, "done");
  server.join();
}

TEST(Server, DrainingEndsInTimeWhateverClientsDo) {
  ServerOptions options;
  options.limits.drain = 200ms;
  TestServer server(options);
  Client slow(server.port());
  slow.send("PUT /things/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n");
  while (server.server().load().connections < 1) std::this_thread::sleep_for(1ms);
  server.server().drain();
  server.join();
}

TEST(Server, ObserversSeeEveryExchangeWithItsRoute) {
  TestServer server;
  (void)ask(server.port(), "GET", "/things/a");
  (void)ask(server.port(), "GET", "/nowhere");
  Client last(server.port());
  (void)last.ask("GET", "/hello");
  (void)last.ask("GET", "/hello");  // the exchange before it was noted by then
  EXPECT_THAT(server.seen(), testing::IsSupersetOf({"/things/{id}", "", "/hello"}));
}

}  // namespace
}  // namespace spineweave::service::http::test
