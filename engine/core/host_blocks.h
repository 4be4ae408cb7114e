#pragma once

#include <cstddef>

/// Memory for the bytes of tensors on the host. Programs make and drop tensors of the same few
/// sizes all the time: what a thread gives back stays with it for the next one, where the C library
/// would hand the pages to the system, and every new tensor would wait for fresh ones.
namespace assay::core {

/// `nbytes` > 0 bytes at an address that is a multiple of 64; null if there is no memory.
std::byte* take_host_block(size_t nbytes);

/// Gives back what take_host_block(nbytes) gave, on any thread.
void give_host_block(std::byte* block, size_t nbytes) noexcept;

}  // namespace assay::core
