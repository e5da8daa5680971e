#include "app/services/run_pictures.h"

#include "views/comparison/comparison_painter.h"
#include "views/liveness/liveness_picture.h"
#include "views/tiles/tiles_painter.h"
#include "views/timeline/painting/timeline_picture.h"
#include "views/training/training_plot.h"

#include <algorithm>

namespace app {

std::span<const RunPicture> runPictures() {
    using Database = core::ProfileDatabase;
    using Request = RunPictureRequest;
    using Theme = views::Theme;
    static constexpr RunPicture pictures[]{
        {"timeline", "Timeline",
         [](const Database& database, const Request& request, const Theme& theme) {
             views::TimelineState state;
             state.microBatch = request.microBatch;
             return views::timelinePicture(database, request.runs.front(), theme, request.size, state);
         }},
        {"liveness", "Memory over the program",
         [](const Database& database, const Request& request, const Theme& theme) {
             return views::livenessPicture(database, request.runs.front(), theme, request.size, request.ipu);
         }},
        {"tiles", "Tiles of an IPU",
         [](const Database& database, const Request& request, const Theme& theme) {
             return views::tilesPicture(database, request.runs.front(), theme, request.size, request.ipu);
         }},
        {"training", "Training",
         [](const Database& database, const Request& request, const Theme& theme) {
             return views::trainingPicture(database, request.runs.front(), theme, request.size);
         }},
        {"comparison", "Comparison of all runs",
         [](const Database& database, const Request& request, const Theme& theme) {
             return views::comparisonPicture(database, request.runs, request.baseline, theme, request.size);
         }},
    };
    return pictures;
}

const RunPicture* findRunPicture(std::string_view name) {
    const auto picture = std::ranges::find(runPictures(), name, &RunPicture::name);
    return picture == runPictures().end() ? nullptr : &*picture;
}

} // namespace app
