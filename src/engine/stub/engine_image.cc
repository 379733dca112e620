// Binds and opens the embedded engine. See engine_image.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "engine/stub/engine_image.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

// The bytes of the engine library.
asm(".section .rodata\n"
    ".balign 16\n"
    ".hidden tarn_engine_image\n"
    ".hidden tarn_engine_image_end\n"
    ".global tarn_engine_image\n"
    ".global tarn_engine_image_end\n"
    "tarn_engine_image:\n"
    ".incbin \"" TARN_ENGINE_IMAGE
    "\"\n"
    "tarn_engine_image_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const char tarn_engine_image[];
extern "C" const char tarn_engine_image_end[];

namespace tarn::stub {
namespace {

constexpr const char* kNeeded = "libduckdb.so";
constexpr const char* kEngineName = "libtarn_engine.so";

// A tag that dynamic linkers do not know and therefore skip.
constexpr Elf64_Sxword kIgnoredTag = DT_LOOS + 0x7461;

[[noreturn]] void Broken(const char* what) {
  throw std::runtime_error(std::string("the engine inside this file is damaged (") + what +
                           "); build or download tarn.duckdb_extension again");
}

template <class T>
T* At(std::string& image, size_t offset, size_t count = 1) {
  if (offset > image.size() || count > (image.size() - offset) / sizeof(T)) {
    Broken("a reference past its end");
  }
  return reinterpret_cast<T*>(image.data() + offset);
}

size_t FileOffset(const Elf64_Phdr* headers, size_t count, Elf64_Addr address) {
  for (size_t i = 0; i < count; i++) {
    if (headers[i].p_type == PT_LOAD && address >= headers[i].p_vaddr &&
        address - headers[i].p_vaddr < headers[i].p_filesz) {
      return address - headers[i].p_vaddr + headers[i].p_offset;
    }
  }
  Broken("an address outside its segments");
}

bool WriteAll(int fd, const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    ssize_t wrote = write(fd, bytes.data() + done, bytes.size() - done);
    if (wrote < 0 && errno != EINTR) {
      return false;
    }
    done += wrote > 0 ? static_cast<size_t>(wrote) : 0;
  }
  return true;
}

// From memory: leaves no file behind and works where every folder forbids programs.
void* OpenFromMemory(const std::string& image, std::string& problem) {
  int fd = memfd_create("tarn_engine", MFD_CLOEXEC);
  if (fd < 0 || !WriteAll(fd, image)) {
    problem = std::string("no memory file could be written: ") + std::strerror(errno);
    if (fd >= 0) {
      close(fd);
    }
    return nullptr;
  }
  std::string path = "/proc/self/fd/" + std::to_string(fd);
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) {
    problem = dlerror();
    close(fd);
  }
  // On success the descriptor stays open, so that its number, which is now the library's name to
  // the dynamic linker, is given to no other.
  return handle;
}

void* OpenFromFile(const std::string& image, std::string& problem) {
  const char* folder = std::getenv("TMPDIR");
  std::string path =
      std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/tarn_engine_XXXXXX";
  int fd = mkostemp(path.data(), O_CLOEXEC);
  if (fd < 0) {
    problem = "no temporary file could be made in " + path + ": " + std::strerror(errno);
    return nullptr;
  }
  void* handle = nullptr;
  if (!WriteAll(fd, image)) {
    problem = "the temporary file " + path + " could not be written: " + std::strerror(errno);
  } else {
    handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == nullptr) {
      problem = dlerror();
    }
  }
  close(fd);
  unlink(path.c_str());
  return handle;
}

}  // namespace

void BindImage(std::string& image, const std::string& duckdb_path) {
  auto* header = At<Elf64_Ehdr>(image, 0);
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64) {
    Broken("no ELF header");
  }
  size_t count = header->e_phnum;
  auto* segments = At<Elf64_Phdr>(image, header->e_phoff, count);
  Elf64_Dyn* dynamic = nullptr;
  size_t entries = 0;
  for (size_t i = 0; i < count; i++) {
    if (segments[i].p_type == PT_DYNAMIC) {
      entries = segments[i].p_filesz / sizeof(Elf64_Dyn);
      dynamic = At<Elf64_Dyn>(image, segments[i].p_offset, entries);
    }
  }
  size_t strings = 0;
  for (size_t i = 0; i < entries; i++) {
    if (dynamic[i].d_tag == DT_STRTAB) {
      strings = FileOffset(segments, count, dynamic[i].d_un.d_ptr);
    }
  }
  if (strings == 0) {
    Broken("no dynamic strings");
  }
  // The build gives the engine a long run path just for the room it takes in the string table.
  Elf64_Dyn* needed = nullptr;
  Elf64_Dyn* room = nullptr;
  for (size_t i = 0; i < entries && dynamic[i].d_tag != DT_NULL; i++) {
    auto tag = dynamic[i].d_tag;
    if (tag == DT_RUNPATH || tag == DT_RPATH) {
      room = &dynamic[i];
    } else if (tag == DT_NEEDED &&
               std::strcmp(At<char>(image, strings + dynamic[i].d_un.d_val), kNeeded) == 0) {
      needed = &dynamic[i];
    }
  }
  if (needed == nullptr || room == nullptr) {
    Broken("it names no libduckdb.so");
  }
  char* text = At<char>(image, strings + room->d_un.d_val);
  if (duckdb_path.size() > std::strlen(text)) {
    throw std::runtime_error("the path of the DuckDB library is too long: " + duckdb_path);
  }
  std::memcpy(text, duckdb_path.c_str(), duckdb_path.size() + 1);
  needed->d_un.d_val = room->d_un.d_val;
  room->d_tag = kIgnoredTag;
  if (duckdb_path.empty()) {
    needed->d_tag = kIgnoredTag;
  }
}

void* OpenEngine(const std::string& duckdb_path, std::string& problem) {
  std::string image(tarn_engine_image, tarn_engine_image_end);
  BindImage(image, duckdb_path);
  if (void* handle = OpenFromMemory(image, problem)) {
    return handle;
  }
  std::string second;
  if (void* handle = OpenFromFile(image, second)) {
    return handle;
  }
  if (second != problem) {
    problem += "; " + second;
  }
  return nullptr;
}

void* LoadedEngine() { return dlopen(kEngineName, RTLD_NOW | RTLD_NOLOAD); }

}  // namespace tarn::stub
