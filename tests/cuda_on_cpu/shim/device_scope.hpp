// Leave for host code to touch device memory.
#pragma once

namespace simt {

// Device memory faults on access except while a kernel or a copy runs, or a DeviceScope lives. Code that
// stands in for kernels but runs as host code, such as Thrust on its TBB backend, holds one. Scopes of
// several threads may overlap.
class DeviceScope {
 public:
  DeviceScope();
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;
};

}  // namespace simt
