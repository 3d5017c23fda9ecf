#include "service/support/certificate.hpp"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <memory>

namespace spineweave::service::test {
namespace {

template <auto kFree>
struct Free {
  template <class Object>
  void operator()(Object* object) const {
    kFree(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using Stream = std::unique_ptr<BIO, Free<BIO_free_all>>;
using Context = std::unique_ptr<SSL_CTX, Free<SSL_CTX_free>>;

}  // namespace

void write_certificate(const std::string& certificate_path, const std::string& key_path) {
  constexpr long kDay = 24 * 60 * 60;
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kDay);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  const Stream certificate_file(BIO_new_file(certificate_path.c_str(), "w"));
  PEM_write_bio_X509(certificate_file.get(), certificate.get());
  const Stream key_file(BIO_new_file(key_path.c_str(), "w"));
  PEM_write_bio_PrivateKey(key_file.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
}

std::string ask_over_tls(std::uint16_t port, std::string_view bytes) {
  const Context context(SSL_CTX_new(TLS_client_method()));
  const Stream stream(BIO_new_ssl_connect(context.get()));
  BIO_set_conn_hostname(stream.get(), fmt::format("127.0.0.1:{}", port).c_str());
  if (BIO_do_connect(stream.get()) <= 0 || BIO_do_handshake(stream.get()) <= 0) return "";
  SSL* tls = nullptr;
  BIO_get_ssl(stream.get(), &tls);
  const Certificate shown(SSL_get1_peer_certificate(tls));
  std::array<char, 4096> piece{};
  X509_NAME_oneline(X509_get_subject_name(shown.get()), piece.data(), static_cast<int>(piece.size()));
  std::string answer = piece.data();
  BIO_write(stream.get(), bytes.data(), static_cast<int>(bytes.size()));
  for (int got = BIO_read(stream.get(), piece.data(), static_cast<int>(piece.size())); got > 0;
       got = BIO_read(stream.get(), piece.data(), static_cast<int>(piece.size())))
    answer.append(piece.data(), static_cast<std::size_t>(got));
  return answer;
}

}  // namespace spineweave::service::test
