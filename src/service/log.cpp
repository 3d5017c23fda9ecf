#include "service/log.hpp"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <array>
#include <chrono>

#include "service/api/time_text.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::service {
namespace {

struct Level {
  std::string_view name;
  spdlog::level::level_enum value;
};
// In the order of LogLevel.
constexpr std::array kLevels = {Level{"debug", spdlog::level::debug}, Level{"info", spdlog::level::info},
                                Level{"warn", spdlog::level::warn}, Level{"error", spdlog::level::err}};

spdlog::level::level_enum level_named(std::string_view name) {
  for (const Level& level : kLevels)
    if (level.name == name) return level.value;
  throw Error(ErrorCode::usage, fmt::format("the log level is '{}'; expected debug, info, warn or error", name));
}

std::string json_line(std::string_view level, std::string_view message, const Document::Object& fields) {
  const Nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
  Document::Object object = {
      {"time", api::time_text(now)}, {"level", std::string(level)}, {"message", std::string(message)}};
  object.insert(object.end(), fields.begin(), fields.end());
  return write_json_line(object);
}

std::string text_line(std::string_view message, const Document::Object& fields) {
  std::string line(message);
  for (const auto& [key, value] : fields) line += fmt::format(" {}={}", key, write_json_line(value));
  return line;
}

}  // namespace

class Log::Sink : public spdlog::logger {
 public:
  Sink() : spdlog::logger("spineweave", std::make_shared<spdlog::sinks::stderr_sink_mt>()) {}
};

Log::Log(bool is_json, std::string_view level) : is_json_(is_json), sink_(std::make_unique<Sink>()) {
  sink_->set_level(level_named(level));
  sink_->set_pattern(is_json ? "%v" : "%Y-%m-%dT%H:%M:%S.%e%z %l %v");
}

Log::~Log() = default;

void Log::write(LogLevel level, std::string_view message, const Document::Object& fields) {
  const auto& [name, value] = kLevels[static_cast<std::size_t>(level)];
  if (!sink_->should_log(value)) return;
  const std::string line = is_json_ ? json_line(name, message, fields) : text_line(message, fields);
  sink_->log(value, spdlog::string_view_t(line));
}

void Log::note(const http::Exchange& exchange) {
  constexpr std::uint16_t kServerErrors = 500;
  const LogLevel level = exchange.status >= kServerErrors ? LogLevel::warn : LogLevel::debug;
  if (!sink_->should_log(kLevels[static_cast<std::size_t>(level)].value)) return;
  write(level, "request",
        {{"client", std::string(exchange.client)},
         {"method", std::string(exchange.method)},
         {"target", std::string(exchange.target)},
         {"status", std::uint32_t{exchange.status}},
         {"bytes", static_cast<std::uint64_t>(exchange.bytes)},
         {"duration_us", std::chrono::duration<double, std::micro>(exchange.duration).count()}});
}

}  // namespace spineweave::service
