// A certificate that signs itself, made on the spot, and a client that speaks TLS.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace spineweave::service::test {

// Writes PEM files.
void write_certificate(const std::string& certificate_path, const std::string& key_path);

// What the server answers to these bytes over TLS, until it closes; empty where the handshake fails. The subject
// of the server's certificate comes first.
[[nodiscard]] std::string ask_over_tls(std::uint16_t port, std::string_view bytes);

}  // namespace spineweave::service::test
