#include "core/profile/notes/preset_queries.h"

#include <array>

namespace core {

std::span<const PresetQuery> presetQueries() {
    static constexpr std::array<PresetQuery, 10> queries{{
        {"The fastest runs that fit.",
         R"sql(SELECT run, schedule, micro_batches, samples_per_second, idle_fraction FROM v_run
WHERE state = 'complete' AND fits ORDER BY samples_per_second DESC LIMIT 10;)sql"},
        {"Which stage sets the length of a slot?",
         R"sql(SELECT run, stage, slot_cycles, round(100 * share_of_slowest, 1) AS percent FROM v_stage_summary
WHERE run = (SELECT max(run) FROM v_run) ORDER BY slot_cycles DESC;)sql"},
        {"Where does the idle time go?",
         R"sql(SELECT run, cause, sum(gaps) AS gaps, sum(cycles) AS cycles FROM v_idle
WHERE run = (SELECT max(run) FROM v_run) GROUP BY run, cause ORDER BY cycles DESC;)sql"},
        {"How busy is each IPU?",
         R"sql(SELECT run, ipu, round(100 * busy_share, 1) AS busy_percent FROM v_utilisation
WHERE run = (SELECT max(run) FROM v_run) ORDER BY ipu;)sql"},
        {"How near is each IPU to its limit?",
         R"sql(SELECT run, ipu, peak_bytes, headroom_bytes, round(100 * share_of_limit, 1) AS percent, fits FROM v_peak
WHERE run = (SELECT max(run) FROM v_run);)sql"},
        {"The ten largest blocks that are live at the peak of IPU 0.",
         R"sql(SELECT run, t.tensor, t.category, t.bytes, t.layer FROM v_tensor AS t
JOIN (SELECT run, ipu, step FROM v_liveness WHERE run = (SELECT max(run) FROM v_run) AND ipu = 0
ORDER BY total_bytes DESC LIMIT 1) AS peak USING (run, ipu)
WHERE t.is_always_live OR peak.step BETWEEN t.first_step AND t.last_step ORDER BY t.bytes DESC LIMIT 10;)sql"},
        {"The costliest layers, all phases of one micro-batch together.",
         R"sql(SELECT run, layer, sum(cycles) AS cycles, sum(flops) AS flops FROM v_layer
WHERE run = (SELECT max(run) FROM v_run) GROUP BY run, layer ORDER BY cycles DESC LIMIT 20;)sql"},
        {"The way of micro-batch 3 through the pipeline.",
         R"sql(SELECT run, ipu, kind, slot, start_ns, duration_ns FROM v_span WHERE run = (SELECT max(run) FROM v_run)
AND micro_batch = 3 AND kind IN ('forward', 'backward', 'recompute') ORDER BY start_cycles;)sql"},
        {"When does a layer run in the first slot of its stage?",
         R"sql(SELECT run, name, step_kind, ipu, slot, start_cycles, duration_cycles FROM v_operation_span AS s
WHERE run = (SELECT max(run) FROM v_run) AND layer = (SELECT layer FROM v_layer WHERE
run = (SELECT max(run) FROM v_run) LIMIT 1) AND micro_batch = 0 ORDER BY start_cycles;)sql"},
        {"The loss at the end of each epoch.",
         R"sql(SELECT run, epoch, value FROM v_metric AS m WHERE run = (SELECT max(run) FROM v_run) AND metric = 'loss' AND
position = (SELECT max(position) FROM v_metric WHERE run = m.run AND metric = m.metric AND epoch = m.epoch)
ORDER BY epoch;)sql"},
    }};
    return queries;
}

} // namespace core
