#include "service/api/event_hub.hpp"

#include <fmt/format.h>

#include <chrono>

#include "service/api/status.hpp"
#include "spineweave/io.hpp"

namespace spineweave::service::api {
namespace {

// A search reports far more often than anybody can look.
constexpr Nanoseconds kBetweenProgress = std::chrono::milliseconds(100);

std::string_view kind_text(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::changed:
      return "changed";
    case Event::Kind::routed:
      return "routed";
    case Event::Kind::assessed:
      return "assessed";
    case Event::Kind::progress:
      return "progress";
    case Event::Kind::health:
      break;
  }
  return "health";
}

Document data_of(const Event& event, const Snapshot& snapshot) {
  switch (event.kind) {
    case Event::Kind::changed:
      return Document::Object{
          {"revision", event.revision}, {"change", std::string(name_of(event.change))}, {"subject", event.subject}};
    case Event::Kind::routed:
      return change_object(*event.routing);
    case Event::Kind::progress: {
      Document::Object object = progress_object(event.progress);
      object.insert(object.begin(), {"revision", event.revision});
      return object;
    }
    case Event::Kind::assessed:
    case Event::Kind::health:
      break;
  }
  return status_document(snapshot);
}

http::EventQueue::Text event_text(std::string_view name, Revision revision, const Document& data) {
  return std::make_shared<const std::string>(
      fmt::format("id: {}\nevent: {}\ndata: {}\n\n", revision, name, write_json_line(data)));
}

}  // namespace

EventHub::EventHub(Controller& controller)
    : controller_(controller), subscription_(controller.subscribe([this](const Event& event) { hand_on(event); })) {}

std::shared_ptr<http::EventQueue> EventHub::open_stream() {
  auto stream = std::make_shared<http::EventQueue>();
  const std::scoped_lock lock(mutex_);
  const auto snapshot = controller_.snapshot();
  stream->push(event_text("state", snapshot->revision, status_document(*snapshot)));
  streams_.push_back(stream);
  return stream;
}

std::size_t EventHub::num_streams() const {
  const std::scoped_lock lock(mutex_);
  return streams_.size();
}

void EventHub::hand_on(const Event& event) {
  {
    const std::scoped_lock lock(mutex_);
    if (!is_due(event)) return;
    std::erase_if(streams_, [](const auto& stream) { return stream.expired(); });
    if (!streams_.empty()) {
      const auto text = event_text(kind_text(event.kind), event.revision, data_of(event, *controller_.snapshot()));
      for (const auto& stream : streams_)
        if (const auto open = stream.lock()) open->push(text);
    }
  }
  if (event.kind == Event::Kind::changed || event.kind == Event::Kind::routed) revisions_->notify();
}

bool EventHub::is_due(const Event& event) {
  if (event.kind != Event::Kind::progress) return true;
  const Nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  if (now - last_progress_ < kBetweenProgress) return false;
  last_progress_ = now;
  return true;
}

}  // namespace spineweave::service::api
