#include "core/interchange/templates/model_template.h"

#include <fmt/format.h>

namespace core {

using Part = TemplateBlock::Part;

void TemplateBuilder::note(TemplateBlock block) {
    m_starts.push_back(draft().invocations.size());
    m_blocks.push_back(std::move(block));
}

void TemplateBuilder::begin(std::string name, Part part) {
    note({std::move(name), part, 0});
}

void TemplateBuilder::beginUnit(std::string name, Part part, std::string otherName) {
    note({std::move(name), part, m_units++, std::move(otherName)});
}

void TemplateBuilder::continueUnit(std::string name, Part part) {
    note({std::move(name), part, m_units - 1});
}

TensorRef TemplateBuilder::dense(const std::string& name, std::int64_t units, TensorRef input,
                                 const char* activation) {
    Json attributes{{"units", units}};
    if (activation != nullptr)
        attributes["activation"] = activation;
    return call("Dense", name, attributes, {input});
}

TensorRef TemplateBuilder::activation(const std::string& name, const char* function, TensorRef input) {
    return call("Activation", name, {{"activation", function}}, {input});
}

TensorRef TemplateBuilder::dropout(const std::string& name, double rate, TensorRef input) {
    return rate > 0 ? call("Dropout", name, {{"rate", rate}}, {input}) : input;
}

TensorRef TemplateBuilder::add(const std::string& name, TensorRef a, TensorRef b) {
    return call("Add", name, Json::object(), {a, b});
}

TensorRef TemplateBuilder::layerNorm(const std::string& name, double epsilon, TensorRef input) {
    return call("LayerNormalization", name, {{"epsilon", epsilon}}, {input});
}

TemplateModel TemplateBuilder::finish(std::vector<TensorRef> outputs) && {
    TemplateModel result;
    result.losses.assign(outputs.size(), logitsLoss());
    // Blocks are runs of calls as they were made; the built model counts calls anew.
    ModelGraph made = draft();
    const std::vector<InvocationId> places = orderByLayer(made);
    result.model = std::move(*this).build(std::move(outputs));
    result.blocks = std::move(m_blocks);
    result.blockOf.resize(places.size());
    result.made.resize(places.size());
    std::size_t block = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        while (block + 1 < m_starts.size() && m_starts[block + 1] <= i)
            ++block;
        result.blockOf[places[i].index()] = block;
        result.made[i] = places[i];
    }
    result.optimizer = {"SGD", {{"learning_rate", 0.01}, {"momentum", 0.9}}};
    return result;
}

KerasObject logitsLoss() {
    return {"SparseCategoricalCrossentropy", {{"from_logits", true}}};
}

TemplateParameter normParameter() {
    return parameter::text("norm", "batch",
                           "Normalisation: batch, group (4 groups), \"group N groups\", layer or none.");
}

Result<NormChoice> normFromText(const std::string& text, double epsilon, double momentum) {
    if (text == "batch")
        return NormChoice{"BatchNormalization", {{"epsilon", epsilon}, {"momentum", momentum}}};
    if (text == "layer")
        return NormChoice{"LayerNormalization", {{"epsilon", epsilon}}};
    if (text == "none")
        return NormChoice{};
    if (text.starts_with("group")) {
        constexpr std::int64_t usual = 4;
        const std::size_t digits = text.find_first_of("0123456789");
        std::int64_t groups = usual;
        for (std::size_t i = digits; i < text.size() && text[i] >= '0' && text[i] <= '9' && groups < 100000;
             ++i)
            groups = (i == digits ? 0 : groups * 10) + (text[i] - '0');
        if (groups > 0)
            return NormChoice{"GroupNormalization", {{"groups", groups}, {"epsilon", epsilon}}};
    }
    return failure(makeError(Trouble::Usage, "template/value", {"", "norm"},
                             fmt::format("\"norm\" cannot be \"{}\"", text.substr(0, 80)),
                             {"give batch, group, \"group N groups\", layer or none"}));
}

} // namespace core
