#include "simulator/data/readers/open_dataset.h"
#include "tests/fuzz/checksums.h"
#include "tests/fuzz/input_file.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // The first byte chooses the reader.
    if (size == 0)
        return 0;
    struct Kind {
        const char* name;
        const char* ending;
        const char* parameters;
    };
    static constexpr std::array<Kind, 7> kinds{
        {{"idx", "idx", R"({"images": "samples.idx", "labels": "samples.idx"})"},
         {"csv", "csv", R"({"file": "samples.csv"})"},
         {"csv", "csv", R"({"file": "samples.csv", "header": false, "label_column": 0})"},
         {"npy", "npy", R"({"inputs": ["samples.npy"], "labels": ["samples.npy"]})"},
         {"npz", "npz", R"({"file": "samples.npz"})"},
         {"cifar10", "bin", R"({"files": ["samples.bin"]})"},
         {"text", "txt", R"({"file": "samples.txt", "vocabulary": "samples.txt", "length": 4})"}}};
    const Kind& kind = kinds[data[0] % kinds.size()];
    const InputFile file(std::string("samples.") + kind.ending);
    const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    file.write(kind.ending == std::string("npz") ? withZipChecksums(bytes) : bytes);
    simulator::DatasetRequest request;
    request.spec = {kind.name, core::parseJson(kind.parameters, "dataset").value()};
    request.folder = file.folder();
    request.inputs = {{{4}, simulator::WantedField::Kind::Numbers, 0}};
    request.targets = {{{1}, simulator::WantedField::Kind::Classes, 10}};
    constexpr std::uint64_t most = std::uint64_t{1} << 24;
    request.memoryLimit = most;
    const auto source = simulator::openDataset(request);
    if (!source || (*source)->samples() == 0)
        return 0;
    for (std::size_t field = 0; field < (*source)->inputs().size(); ++field) {
        const std::int64_t elements = (*source)->inputs()[field].elements();
        if (elements < 0 || elements > static_cast<std::int64_t>(most))
            continue;
        std::vector<float> values(static_cast<std::size_t>(elements));
        static_cast<void>((*source)->readInput(field, 0, values));
        static_cast<void>((*source)->readInput(field, (*source)->samples() - 1, values));
    }
    return 0;
}
