#include "core/interchange/templates/models/residual_network.h"
#include "core/interchange/templates/template_catalogue.h"

#include <map>

namespace core {

namespace {

const std::map<std::string, std::vector<std::int64_t>>& stagesByDepth() {
    static const std::map<std::string, std::vector<std::int64_t>> stages{{"18", {2, 2, 2, 2}},
                                                                         {"34", {3, 4, 6, 3}},
                                                                         {"50", {3, 4, 6, 3}},
                                                                         {"101", {3, 4, 23, 3}},
                                                                         {"152", {3, 8, 36, 3}}};
    return stages;
}

Result<TemplateModel> buildResnet(const TemplateArguments& arguments) {
    ResidualPlan plan;
    if (const auto read = readResidualParameters(arguments, plan); !read)
        return failure(read.error());
    plan.name = "resnet" + arguments.text("depth");
    plan.stages = arguments.integers("blocks");
    if (plan.stages.empty())
        plan.stages = stagesByDepth().at(arguments.text("depth"));
    plan.isBottleneck = arguments.text("depth") != "18" && arguments.text("depth") != "34";
    plan.stridesInMiddle = arguments.text("version") != "v1";
    plan.hasBias = !plan.stridesInMiddle;
    return buildResidualNetwork(plan);
}

} // namespace

ModelTemplate resnetTemplate() {
    using namespace parameter;
    std::vector<TemplateParameter> parameters{
        choice("depth", {"50", "18", "34", "101", "152"}, "Weight layers."),
        list(TemplateParameterKind::Integers, "blocks", nullptr,
             "Blocks of each stage instead of those of the depth, which still says what a block is."),
        choice("version", {"v1.5", "v1"},
               "v1.5 has its strides in the 3 × 3 convolutions and no convolution bias (25 557 032 trainable "
               "parameters at depth 50); v1 is that of keras.applications (25 636 712 in all).")};
    for (TemplateParameter& shared : residualParameters())
        parameters.push_back(std::move(shared));
    return {"resnet", "A residual network (He et al. 2015).", std::move(parameters), buildResnet, {}};
}

ModelTemplate resnextTemplate() {
    using namespace parameter;
    std::vector<TemplateParameter> parameters{
        choice("depth", {"50", "101", "152"}, "Weight layers."),
        integer("groups", 32, 1, 1024, "Groups of the 3 × 3 convolutions."),
        withAliases(integer("width", 4, 1, 1024, "Channels of each group in the first stage."),
                    {"group_width"})};
    for (TemplateParameter& shared : residualParameters())
        parameters.push_back(std::move(shared));
    return {"resnext",
            "A residual network with grouped convolutions (Xie et al. 2017).",
            std::move(parameters),
            [](const TemplateArguments& arguments) -> Result<TemplateModel> {
                ResidualPlan plan;
                if (const auto read = readResidualParameters(arguments, plan); !read)
                    return failure(read.error());
                plan.name = "resnext" + arguments.text("depth");
                plan.stages = stagesByDepth().at(arguments.text("depth"));
                plan.groups = arguments.integer("groups");
                plan.innerWidth = static_cast<double>(plan.groups * arguments.integer("width")) / 64.0;
                return buildResidualNetwork(plan);
            },
            {}};
}

} // namespace core
