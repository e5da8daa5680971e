#include "core/profile/analysis/compared/layer_times.h"

#include "core/profile/analysis/time_tree.h"
#include "core/profile/queries/timeline_queries.h"

#include <map>
#include <string>

namespace core {

Result<std::vector<LayerTimes>> compareLayers(const ProfileDatabase& database,
                                              const RunComparison& comparison) {
    const double baseHz = comparison.summaries[comparison.baseline].provenance.clockHz;
    std::vector<LayerTimes> times(comparison.layers.size(), LayerTimes(comparison.runs.size()));
    for (std::size_t run = 0; run < comparison.runs.size(); ++run) {
        const Result<TimePieces> pieces = loadTimePieces(database, comparison.runs[run]);
        if (!pieces && isWithoutTimeline(pieces.error()))
            continue;
        if (!pieces)
            return failure(pieces.error());
        std::map<std::string, Cycles> ofLayer;
        for (const TimePiece& piece : pieces->pieces)
            if (piece.operation)
                ofLayer[pieces->operations[*piece.operation].layer] += piece.cycles;
        for (std::size_t i = 0; i < times.size() && !ofLayer.empty(); ++i) {
            const ComparedLayer& layer = comparison.layers[i];
            const auto found = ofLayer.find(layer.layer);
            // What only passes through takes no time.
            if (found == ofLayer.end() && layer.stages[run].empty())
                continue;
            const Cycles cycles = found == ofLayer.end() ? Cycles() : found->second;
            times[i][run] = inOtherClock(cycles, pieces->clockHz, baseHz);
        }
    }
    return times;
}

} // namespace core
