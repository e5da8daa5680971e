#include "core/interchange/templates/stage_split.h"

#include "core/model/attribute_definition.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <numeric>
#include <set>

namespace core {

using Part = TemplateBlock::Part;

namespace {

tl::unexpected<Diagnostics> refuseKey(const char* key, std::string message, std::string hint) {
    return failure(
        makeError(Trouble::Usage, "template/value", {"", key}, std::move(message), {std::move(hint)}));
}

/// IPU of every call, in the order in which the template made them.
using Placement = std::vector<std::size_t>;

std::size_t unitCount(const TemplateModel& model) {
    std::size_t count = 0;
    for (const TemplateBlock& block : model.blocks) {
        if (block.part != Part::Front && block.part != Part::Back)
            count = std::max(count, block.unit + 1);
    }
    return count;
}

/// Group of every unit when groups of these sizes follow one another.
std::vector<std::size_t> spread(const std::vector<std::int64_t>& sizes) {
    std::vector<std::size_t> groups;
    for (std::size_t group = 0; group < sizes.size(); ++group)
        groups.insert(groups.end(), static_cast<std::size_t>(sizes[group]), group);
    return groups;
}

/// Groups of units of as equal a size as can be, the later ones larger.
std::vector<std::int64_t> evenSizes(std::size_t units, std::size_t groups) {
    std::vector<std::int64_t> sizes;
    for (std::size_t group = 0; group < groups; ++group)
        sizes.push_back(static_cast<std::int64_t>((group + 1) * units / groups - group * units / groups));
    return sizes;
}

Result<std::vector<std::size_t>> unitsFromCounts(const TemplateModel& model, const char* key,
                                                 const std::vector<std::int64_t>& counts) {
    const std::size_t units = unitCount(model);
    std::int64_t sum = 0;
    for (const std::int64_t count : counts)
        sum = std::min<std::int64_t>(sum + std::max<std::int64_t>(count, 0), 1000000000);
    if (sum != static_cast<std::int64_t>(units))
        return refuseKey(key,
                         fmt::format("the split covers {} layers or blocks, the model has {}", sum, units),
                         fmt::format("write counts that add up to {}", units));
    return spread(counts);
}

/// Gives front and back their IPUs; `unitIpu` says where each block between them goes.
template <class UnitIpu>
Placement place(const TemplateModel& model, std::size_t front, std::size_t back, UnitIpu unitIpu) {
    Placement ipus;
    for (const InvocationId id : model.made) {
        const TemplateBlock& block = model.blocks[model.blockOf[id.index()]];
        ipus.push_back(block.part == Part::Front ? front : block.part == Part::Back ? back : unitIpu(block));
    }
    return ipus;
}

/// Whether a layer is called both in the front and in the back.
bool sharesFrontWithBack(const TemplateModel& model) {
    std::set<LayerId> front;
    for (const LayerInvocation& invocation : model.model.invocations) {
        const Part part = model.blocks[model.blockOf[invocation.id.index()]].part;
        if (part == Part::Front)
            front.insert(invocation.layer);
        else if (part == Part::Back && front.contains(invocation.layer))
            return true;
    }
    return false;
}

std::size_t ipuOr(const TemplateArguments& arguments, const char* key, std::size_t fallback) {
    return arguments.has(key) ? static_cast<std::size_t>(arguments.integer(key)) : fallback;
}

Result<Placement> placeByCounts(const TemplateModel& model, const TemplateArguments& arguments,
                                const char* key, const std::vector<std::int64_t>& attention,
                                const std::vector<std::int64_t>& feedForward) {
    const auto attentionIpu = unitsFromCounts(model, key, attention);
    const auto feedForwardIpu = unitsFromCounts(model, "ffn_split", feedForward);
    if (!attentionIpu)
        return failure(attentionIpu.error());
    if (!feedForwardIpu)
        return failure(feedForwardIpu.error());
    const std::size_t front = ipuOr(arguments, "embedding_ipu", 0);
    const std::size_t last = std::max(attention.size(), feedForward.size()) - 1;
    const std::size_t back = ipuOr(arguments, "head_ipu", sharesFrontWithBack(model) ? front : last);
    return place(model, front, back, [&](const TemplateBlock& block) {
        return (block.part == Part::FeedForward ? *feedForwardIpu : *attentionIpu)[block.unit];
    });
}

const TemplateBlock& blockAt(const TemplateModel& model, std::size_t place) {
    return model.blocks[model.blockOf[model.made[place].index()]];
}

/// First call at which a block or layer of this name starts.
std::optional<std::size_t> startOf(const TemplateModel& model, const std::string& name) {
    for (std::size_t i = 0; i < model.made.size(); ++i) {
        const TemplateBlock& block = blockAt(model, i);
        const bool isStart = i == 0 || &block != &blockAt(model, i - 1);
        const bool isBlock =
            isStart && (block.name == name || block.name == name + "_attention" || block.otherName == name);
        if (isBlock || model.model.layer(model.made[i]).name == name)
            return i;
    }
    return std::nullopt;
}

/// The call after the last one of a block or layer of this name; a number is a counted layer or block, from
/// 0.
std::optional<std::size_t> endOf(const TemplateModel& model, const std::string& name, bool isNumber) {
    std::optional<std::size_t> end;
    for (std::size_t i = 0; i < model.made.size(); ++i) {
        const TemplateBlock& block = blockAt(model, i);
        const bool isCounted = block.part != Part::Front && block.part != Part::Back;
        const bool isBlock = isNumber ? isCounted && std::to_string(block.unit) == name
                                      : block.name == name || block.name == name + "_attention" ||
                                            block.name == name + "_feed_forward" || block.otherName == name;
        if (isBlock || model.model.layer(model.made[i]).name == name)
            end = i + 1;
    }
    return end;
}

bool areNumbers(const std::vector<std::string>& texts) {
    return std::all_of(texts.begin(), texts.end(), [](const std::string& text) {
        return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
    });
}

/// A stage starts at each of these names, or after each.
Result<Placement> placeByNames(const TemplateModel& model, const TemplateArguments& arguments,
                               const char* key) {
    const bool isAfter = std::string_view(key) == "split_after";
    const std::vector<std::string> names = arguments.texts(key);
    const bool isNumbers = areNumbers(names);
    std::vector<std::size_t> cuts;
    for (const std::string& name : names) {
        const auto cut = isAfter ? endOf(model, name, isNumbers) : startOf(model, name);
        if (!cut)
            return refuseKey(
                key, fmt::format("the model has no block or layer \"{}\"", name.substr(0, 80)),
                fmt::format("blocks are {} … {}", model.blocks.front().name, model.blocks.back().name));
        if (*cut >= model.made.size())
            return refuseKey(key, fmt::format("nothing comes after \"{}\"", name.substr(0, 80)),
                             "name the last layer or block of every stage but the last");
        cuts.push_back(*cut);
    }
    std::sort(cuts.begin(), cuts.end());
    Placement ipus;
    for (std::size_t i = 0; i < model.blockOf.size(); ++i) {
        const auto stage = std::upper_bound(cuts.begin(), cuts.end(), i) - cuts.begin();
        const bool isBack = model.blocks[model.blockOf[model.made[i].index()]].part == Part::Back;
        ipus.push_back(isBack ? ipuOr(arguments, "head_ipu", static_cast<std::size_t>(stage))
                              : static_cast<std::size_t>(stage));
    }
    return ipus;
}

Result<Placement> findPlacement(const TemplateModel& model, const TemplateArguments& arguments) {
    if (arguments.has("attention_split") || arguments.has("ffn_split")) {
        const auto attention =
            arguments.integers(arguments.has("attention_split") ? "attention_split" : "ffn_split");
        const auto feedForward =
            arguments.integers(arguments.has("ffn_split") ? "ffn_split" : "attention_split");
        return placeByCounts(model, arguments, "attention_split", attention, feedForward);
    }
    if (arguments.has("split")) {
        const std::vector<std::string> texts = arguments.texts("split");
        if (!areNumbers(texts))
            return placeByNames(model, arguments, "split");
        std::vector<std::int64_t> counts;
        for (const std::string& text : texts)
            counts.push_back(std::stoll(text));
        return placeByCounts(model, arguments, "split", counts, counts);
    }
    if (arguments.has("split_after"))
        return placeByNames(model, arguments, "split_after");
    if (arguments.has("stages")) {
        const auto stages = static_cast<std::size_t>(arguments.integer("stages"));
        const std::size_t units = unitCount(model);
        if (stages > units)
            return refuseKey("stages", fmt::format("the model has only {} layers or blocks to split", units),
                             fmt::format("choose at most {}", units));
        const auto sizes = evenSizes(units, stages);
        return placeByCounts(model, arguments, "stages", sizes, sizes);
    }
    return Placement(model.blockOf.size(), 0);
}

} // namespace

std::int64_t StageSplit::ipusPerReplica() const {
    const std::size_t highest = ipus.empty() ? 0 : *std::max_element(ipus.begin(), ipus.end());
    return static_cast<std::int64_t>(std::bit_ceil(highest + 1));
}

Result<StageSplit> splitStages(const TemplateModel& model, const TemplateArguments& arguments) {
    const Result<Placement> placement = findPlacement(model, arguments);
    if (!placement)
        return failure(placement.error());
    // A stage is a run of calls on one IPU; the same IPU again is a further stage.
    StageSplit split;
    std::vector<std::size_t> stageOf(placement->size(), 0);
    for (std::size_t i = 0; i < placement->size(); ++i) {
        const InvocationId id = model.made[i];
        if (model.model.layer(id).className == "InputLayer")
            continue;
        if (split.ipus.empty() || split.ipus.back() != (*placement)[i])
            split.ipus.push_back((*placement)[i]);
        stageOf[id.index()] = split.ipus.size() - 1;
    }
    if (split.ipus.size() < 2)
        return StageSplit{{}, {}, split.ipus};
    for (const InvocationId id : assignableInvocations(model.model))
        split.assignment.stages.emplace_back(stageOf[id.index()]);
    bool isDefault = true;
    for (std::size_t stage = 0; stage < split.ipus.size(); ++stage)
        isDefault = isDefault && split.ipus[stage] == stage;
    if (!isDefault) {
        for (const std::size_t ipu : split.ipus)
            split.mapping.ipus.emplace_back(ipu);
    }
    return split;
}

} // namespace core
