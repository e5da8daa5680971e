#include "app/verbs/base/picture_argument.h"
#include "app/verbs/base/verb.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

class RenderVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_source.addOptions(command);
        command.get_option("PROJECT")->description("A run's number, last, a project file (schedule only) or a sweep file (pareto only)");
        m_picture.addOptions(command, true);
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext& context) override {
        const auto format = formatOf(context.output);
        if (!format)
            return core::failure(format.error());
        const auto picture = m_picture.picture(m_source, m_database);
        if (!picture)
            return core::failure(picture.error());
        const auto bytes = views::renderPicture(*picture, *format);
        if (!bytes)
            return core::failure(bytes.error());
        Report report;
        report.content = bytes->toStdString();
        report.json = reportJson("render");
        report.json["view"] = m_picture.view();
        report.json["title"] = picture->title.toStdString();
        report.json["width"] = picture->size.width();
        report.json["height"] = picture->size.height();
        report.json["bytes"] = report.content->size();
        report.diagnostics = m_database.warnings();
        return report;
    }

private:
    /// By the end of the file's name; SVG on stdout.
    static core::Result<views::PictureFormat> formatOf(const OutputOptions& output) {
        if (!output.toFile())
            return views::PictureFormat::Svg;
        if (const auto format = views::pictureFormatOf(QString::fromStdString(output.file)))
            return *format;
        return core::failure(usageError("usage/picture-format", "-o",
                                        fmt::format("{} is not a picture", output.file),
                                        "let its name end in .svg, .png or .pdf"));
    }

    ProjectArgument m_source;
    PictureArgument m_picture;
    DatabaseArgument m_database;
};

} // namespace

VerbDefinition renderVerb() {
    return {.name = "render",
            .summary = "The picture of a view of a run, as SVG, PNG or PDF",
            .examples = {"render last --view timeline -o timeline.svg",
                         "render last --view liveness --ipu 0 --theme dark -o memory.png",
                         "render 3 2 1 --view comparison --baseline 3 -o comparison.pdf",
                         "render net.ipuproj --view schedule --micro-batch 3 -o schedule.png",
                         "render batch.sweep.json --view pareto -o front.svg"},
            .make = makeVerb<RenderVerb>};
}

} // namespace app
