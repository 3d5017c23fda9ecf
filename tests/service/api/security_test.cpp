// Who may do what: tokens, addresses, TLS, pages of other sites.
#include <gmock/gmock.h>

#include <fstream>

#include "service/api/test_service.hpp"
#include "service/http/token.hpp"
#include "service/support/certificate.hpp"

namespace spineweave::service::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kToken = "correct-horse-battery";
const std::string kShown = "Authorization: Bearer " + kToken + "\r\n";

void write_text(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

TEST(Security, WithoutATokenOnlyLoopbackIsListenedOn) {
  const StateDirectory state;
  Log log(false, "error");
  ServiceOptions options = quick_options();
  options.state_dir = state.path();
  options.address = "0.0.0.0";
  try {
    const Service service(options, log);
    FAIL() << "anybody could change the routes";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("0.0.0.0"), HasSubstr("token")));
  }
  options.token = kToken;
  EXPECT_NO_THROW(Service(options, log));
  options.token = "short";
  EXPECT_THROW(Service(options, log), Error);
}

TEST(Security, ATokenIsAskedForEverywhereButAtProbesAndPages) {
  ServiceOptions options = quick_options();
  options.token = kToken;
  const TestService service(options);
  for (const char* target : {"/v1/status", "/metrics", "/v1/events", "/v1/jobs/x"}) {
    const Answer answer = service.ask("GET", target);
    EXPECT_EQ(answer.status, 401) << target;
    EXPECT_EQ(answer.headers.at("www-authenticate"), "Bearer");
  }
  for (const char* target : {"/healthz", "/readyz", "/openapi.json", "/"})
    EXPECT_EQ(service.ask("GET", target).status, 200) << target;
  EXPECT_EQ(service.ask("GET", "/v1/status", "", kShown).status, 200);
  EXPECT_EQ(service.ask("GET", "/v1/status", "", "authorization: bearer " + kToken + "\r\n").status, 200);
  for (const char* wrong :
       {"Basic correct-horse-battery", "Bearer", "Bearer correct-horse-batterx", "correct-horse-battery"})
    EXPECT_EQ(service.ask("GET", "/v1/status", "", "Authorization: " + std::string(wrong) + "\r\n").status, 401)
        << wrong;
}

TEST(Security, ABodyWithoutATokenIsNotEvenRead) {
  ServiceOptions options = quick_options();
  options.token = kToken;
  const TestService service(options);
  Client client(service.port());
  client.send("PUT /v1/fabric HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
  EXPECT_EQ(client.receive().status, 401);
}

TEST(Security, TheTokenFileIsReadAnew) {
  const StateDirectory folder;
  const std::string file = folder.path() + "/token";
  write_text(file, kToken + "\n");
  ServiceOptions options = quick_options();
  options.token_file = file;
  TestService service(options);
  EXPECT_EQ(service.ask("GET", "/v1/status", "", kShown).status, 200);
  write_text(file, "another-token-for-today\n");
  service.service().reload();
  EXPECT_EQ(service.ask("GET", "/v1/status", "", kShown).status, 401);
  EXPECT_EQ(service.ask("GET", "/v1/status", "", "Authorization: Bearer another-token-for-today\r\n").status, 200);
  write_text(file, "short\n");
  EXPECT_THROW(service.service().reload(), Error);
  EXPECT_EQ(service.ask("GET", "/v1/status", "", "Authorization: Bearer another-token-for-today\r\n").status, 200);
}

TEST(Security, PagesOfOtherSitesGetNothing) {
  const TestService service;
  EXPECT_EQ(service.ask("POST", "/v1/freeze", "", "Origin: https://evil.example\r\n").status, 403);
  EXPECT_EQ(service.ask("POST", "/v1/freeze", "", "Origin: http://localhost\r\n").status, 200);
  Client rebound(service.port());
  rebound.send("GET /v1/status HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  EXPECT_EQ(rebound.receive().status, 421);
}

TEST(Security, TlsServesTheCertificateAndRefusesPlainText) {
  const StateDirectory folder;
  ServiceOptions options = quick_options();
  options.tls_certificate = folder.path() + "/server.pem";
  options.tls_key = folder.path() + "/server.key";
  write_certificate(options.tls_certificate, options.tls_key);
  TestService service(options);
  const std::string request = request_text("GET", "/healthz", "", "Connection: close\r\n");
  EXPECT_THAT(ask_over_tls(service.port(), request), AllOf(HasSubstr("CN=localhost"), HasSubstr("HTTP/1.1 200 OK")));
  EXPECT_EQ(service.ask("GET", "/healthz").status, 0) << "plain text";
  service.service().reload();
  EXPECT_THAT(ask_over_tls(service.port(), request), HasSubstr("HTTP/1.1 200 OK"));
}

TEST(Security, CertificatesThatDoNotGoTogetherAreRefused) {
  const StateDirectory folder;
  Log log(false, "error");
  ServiceOptions options = quick_options();
  options.state_dir = folder.path();
  options.tls_certificate = folder.path() + "/a.pem";
  EXPECT_THROW(Service(options, log), Error) << "no key";
  options.tls_key = folder.path() + "/b.key";
  EXPECT_THROW(Service(options, log), Error) << "no files";
  write_certificate(folder.path() + "/a.pem", folder.path() + "/a.key");
  write_certificate(folder.path() + "/b.pem", folder.path() + "/b.key");
  EXPECT_THROW(Service(options, log), Error) << "another's key";
}

TEST(Token, IsTheWholeTextAfterTheScheme) {
  const http::Token token(kToken);
  EXPECT_TRUE(token.is_shown_by("Bearer " + kToken));
  EXPECT_FALSE(token.is_shown_by("Bearer " + kToken + "x"));
  EXPECT_FALSE(token.is_shown_by("Bearer " + kToken.substr(1)));
  EXPECT_FALSE(token.is_shown_by(""));
  EXPECT_THROW(http::Token("with a space in it"), Error);
}

}  // namespace
}  // namespace spineweave::service::test
