// Runs a fuzzer once over each file of the folders it is given: the corpus as a regression test.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int main(int count, char** folders) {
  size_t files = 0;
  for (int i = 1; i < count; ++i) {
    for (const auto& each : std::filesystem::directory_iterator{folders[i]}) {
      std::ifstream in{each.path(), std::ios::binary};
      std::string bytes{std::istreambuf_iterator<char>{in}, {}};
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
      ++files;
    }
  }
  std::printf("%zu inputs\n", files);
  return files > 0 ? 0 : 1;
}
