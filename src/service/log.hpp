// Structured logs on standard error: lines for people, or one JSON object a line.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/http/server.hpp"
#include "spineweave/document.hpp"

namespace spineweave::service {

enum class LogLevel : std::uint8_t { debug, info, warn, error };

class Log {
 public:
  // `level`: the name of the lowest that is written. Throws Error{usage}.
  Log(bool is_json, std::string_view level);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // From any thread.
  void write(LogLevel level, std::string_view message, const Document::Object& fields = {});
  // Debug, but for what went wrong.
  void note(const http::Exchange& exchange);

 private:
  class Sink;
  const bool is_json_;
  std::unique_ptr<Sink> sink_;
};

}  // namespace spineweave::service
