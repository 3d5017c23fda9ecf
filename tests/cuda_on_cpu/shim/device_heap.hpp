// Device memory: pages of their own, one allocation ending exactly at a page that always faults.
#pragma once

#include <cstddef>

namespace simt::heap {

enum class Side { host, device };

// Null where the limit set by tests, or the machine, does not allow it. An address is only as aligned as the
// size is, so that an overrun by a single element faults; that suffices for any array of one type.
[[nodiscard]] void* allocate(std::size_t bytes);

// False for an address that allocate() did not give, or that was released.
[[nodiscard]] bool release(void* address);

// Whether an allocation holds the byte at `address`.
[[nodiscard]] Side side_of(const void* address);

// False, and nothing is written, unless each range lies within one allocation if its side is the device, and
// outside all of them if it is the host.
[[nodiscard]] bool copy(void* to, Side to_side, const void* from, Side from_side, std::size_t bytes);
[[nodiscard]] bool set(void* address, int value, std::size_t bytes);

[[nodiscard]] std::size_t bytes_in_use();

}  // namespace simt::heap
