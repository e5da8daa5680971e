#pragma once

#include "core/interchange/templates/model_template.h"

namespace core {

/// What tells the residual networks apart.
struct ResidualPlan {
    std::string name;
    /// Blocks of each stage.
    std::vector<std::int64_t> stages;
    /// Blocks of three convolutions (1 × 1, 3 × 3, 1 × 1) instead of two.
    bool isBottleneck = true;
    /// The stride is in the 3 × 3 convolution (v1.5) instead of the first one (v1).
    bool stridesInMiddle = true;
    /// Convolutions have a bias, as in keras.applications.
    bool hasBias = false;
    /// Groups of the 3 × 3 convolution and its width as a multiple of the stage's (ResNeXt).
    std::int64_t groups = 1;
    double innerWidth = 1;
    NormChoice norm;
    std::int64_t image = 224;
    std::int64_t channels = 3;
    /// The head takes the largest value of each channel's field instead of the mean.
    bool poolsMaximum = false;
    std::int64_t classes = 1000;
    /// Blocks ("stage1/unit3", counted from 1) whose output is kept when a stage is recomputed.
    std::vector<std::string> checkpoints;
};

/// Layers are named as in keras.applications: conv4_block2_add.
[[nodiscard]] Result<TemplateModel> buildResidualNetwork(const ResidualPlan& plan);

/// image, channels, classes, norm, pooling, recompute_checkpoints.
[[nodiscard]] std::vector<TemplateParameter> residualParameters();

/// Fills in what those parameters say.
[[nodiscard]] Result<void> readResidualParameters(const TemplateArguments& arguments, ResidualPlan& plan);

} // namespace core
