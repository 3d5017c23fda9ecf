// All parts of the service put together, without signals: what tests run as well.
#pragma once

#include <memory>

#include "service/http/server.hpp"
#include "service/log.hpp"
#include "spineweave/service.hpp"

namespace spineweave::service {

class Service {
 public:
  // Opens the state and listens. Throws Error.
  Service(const ServiceOptions& options, Log& log);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // Serves on the calling thread until it is drained.
  void run();
  // From any thread.
  void drain();
  // The token file and the certificate. Throws Error, and keeps those before.
  void reload();
  [[nodiscard]] std::uint16_t port() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace spineweave::service
