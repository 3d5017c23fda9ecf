#include "cuda_on_cpu/ptx/thread.hpp"

#include <algorithm>
#include <cstring>

#include "cuda_on_cpu/ptx/fault.hpp"

namespace ptx {
namespace {

constexpr std::size_t kMaxCallDepth = 512;
constexpr std::uint64_t kLocalAlignment = 16;
constexpr std::byte kPoison{0xA5};

}  // namespace

void Thread::start(const Function& entry, std::uint32_t index_in_block) {
  function_ = &entry;
  slots_.assign(entry.frame.begin(), entry.frame.end());
  local_.assign(entry.local_bytes, kPoison);
  callers_.clear();
  frame_begin_ = 0;
  local_begin_ = 0;
  index = index_in_block;
  position = 0;
  wait = Wait::none;
  waits_at = nullptr;
}

void Thread::enter(const Kernel& kernel, const CallSite& site) {
  if (callers_.size() == kMaxCallDepth) throw Fault(Fault::Kind::failure, "stack overflow in " + function_->name);
  const Function& callee = *kernel.functions[site.function];
  callers_.push_back({function_, &site, frame_begin_, local_begin_, position});
  const std::size_t caller_frame = frame_begin_;
  const std::uint64_t caller_local = local_begin_;
  frame_begin_ += function_->frame.size();
  local_begin_ = (local_.size() + kLocalAlignment - 1) / kLocalAlignment * kLocalAlignment;
  slots_.resize(frame_begin_);
  slots_.insert(slots_.end(), callee.frame.begin(), callee.frame.end());
  std::copy_n(slots_.begin() + static_cast<std::ptrdiff_t>(caller_frame), static_cast<std::size_t>(special_end),
              slots_.begin() + static_cast<std::ptrdiff_t>(frame_begin_));
  local_.resize(local_begin_ + callee.local_bytes, kPoison);
  const std::size_t count = std::min(site.arguments.size(), callee.parameters.size());
  for (std::size_t argument = 0; argument < count; ++argument) {
    const Parameter& parameter = callee.parameters[argument];
    std::memcpy(local_.data() + local_begin_ + parameter.offset,
                local_.data() + caller_local + site.arguments[argument], parameter.bytes);
  }
  function_ = &callee;
  position = 0;
}

void Thread::leave() {
  const Caller caller = callers_.back();
  callers_.pop_back();
  const std::size_t count = std::min(caller.site->results.size(), function_->results.size());
  for (std::size_t result = 0; result < count; ++result) {
    const Parameter& parameter = function_->results[result];
    std::memcpy(local_.data() + caller.local_begin + caller.site->results[result],
                local_.data() + local_begin_ + parameter.offset, parameter.bytes);
  }
  local_.resize(caller.local_begin + caller.function->local_bytes);
  function_ = caller.function;
  frame_begin_ = caller.frame_begin;
  local_begin_ = caller.local_begin;
  position = caller.position;
}

}  // namespace ptx
