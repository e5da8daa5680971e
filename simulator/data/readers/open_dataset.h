#pragma once

#include "core/config/dataset_spec.h"
#include "simulator/data/files/byte_source.h"
#include "simulator/data/samples/sample_source.h"

#include <filesystem>
#include <memory>

namespace simulator {

/// What a model takes for one of its inputs or targets; what is made up follows it.
struct WantedField {
    /// Of one sample.
    Extents extents;
    /// Class numbers, or 1 at the class along the last axis.
    enum class Kind : std::uint8_t { Numbers, Classes, OneHot } kind = Kind::Numbers;
    /// Different whole numbers there are; 0: any real number.
    std::int64_t classes = 0;
};

/// What a dataset is opened for.
struct DatasetRequest {
    core::DatasetSpec spec;
    /// Relative paths start here.
    std::filesystem::path folder;
    std::vector<WantedField> inputs;
    std::vector<WantedField> targets;
    /// What a reader may unpack or parse into memory; beyond, it reads files a sample at a time.
    std::uint64_t memoryLimit = defaultMemoryLimit;
};

using OpenedDataset = core::Result<std::shared_ptr<const SampleSource>>;

/// Opens a dataset by the reader of its kind. Errors name the file, the place and the cure: those of
/// core::readFile for files, "dataset/…" for their contents.
[[nodiscard]] OpenedDataset openDataset(const DatasetRequest& request);

} // namespace simulator
