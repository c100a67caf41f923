// SPDX-License-Identifier: GPL-3.0-or-later

// A scene of Artfish on Flamenco: it is simulated and baked once, Blender renders its frames in chunks, which needs
// nothing of Artfish, and FFmpeg joins them. Copy this file into the folder `scripts` beside flamenco-manager.

const JOB_TYPE = {
    label: "Artfish Render",
    description: "Simulate and bake an Artfish scene, render its frames, and join them into a movie",
    settings: [
        { key: "source", type: "string", required: true,
          description: "Name of a preset scene, or the path of a scene's JSON file or of a recording that all workers see" },
        { key: "seed", type: "int32", default: 0, propargs: { min: 0 },
          description: "Seed of a scene: another seed, other fishes" },
        { key: "frames", type: "string", required: true, default: "1-240",
          description: "Frames to render. Examples: '47', '1-30', '3, 5-10, 47-327'" },
        { key: "chunk_size", type: "int32", default: 8, propargs: { min: 1 }, visible: "submission",
          description: "Number of frames to render in one Blender render task" },
        { key: "fps", type: "float", default: 24, propargs: { min: 1, max: 240 },
          description: "Frames a second of the movie: those of the scene" },
        { key: "form", type: "string", default: "points", choices: ["points", "compact", "mesh", "crowd"],
          description: "What is keyed" },
        { key: "render_output_root", type: "string", subtype: "dir_path", required: true, visible: "submission",
          description: "Base directory of where render output is stored. Will have the job's name and time appended" },
        { key: "render_output_path", type: "string", subtype: "file_path", editable: false,
          eval: "str(Path(abspath(settings.render_output_root), jobname, '{timestamp}', '######'))",
          description: "Final file path of where render output will be saved" },
        { key: "artfish", type: "string", default: "artfish", visible: "submission",
          description: "The artfish command on the workers, or a variable of Flamenco such as {artfish}" },
    ],
};

function compileJob(job) {
    const settings = job.settings;
    const output = outputPath(job);
    settings.render_output_path = output;
    const folder = path.dirname(output);
    const blend = path.join(folder, "artfish.blend");

    const bake = author.Task("bake", "blender");
    bake.addCommand(author.Command("exec", { exe: "mkdir", args: ["-p", folder] }));
    bake.addCommand(author.Command("exec", { exe: settings.artfish, args: bakeArguments(settings, blend) }));
    job.addTask(bake);

    const movie = author.Task("movie", "ffmpeg");
    for (const chunk of frameChunker(settings.frames, settings.chunk_size)) {
        const render = author.Task(`render-${chunk}`, "blender");
        render.addCommand(author.Command("blender-render", {
            exe: "{blender}",
            exeArgs: "{blenderArgs}",
            argsBefore: [],
            blendfile: blend,
            args: [
                "--render-output", output,
                "--render-format", "PNG",
                "--render-frame", chunk.replaceAll("-", ".."),
            ],
        }));
        render.addDependency(bake);
        job.addTask(render);
        movie.addDependency(render);
    }
    movie.addCommand(author.Command("frames-to-video", {
        exe: "ffmpeg",
        fps: settings.fps,
        inputGlob: path.join(folder, "*.png"),
        outputFile: path.join(folder, "artfish.mp4"),
        args: ["-c:v", "h264", "-crf", "18", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-y"],
    }));
    job.addTask(movie);
}

// The words of the bake; a recording has its seed already.
function bakeArguments(settings, blend) {
    const args = ["bake", settings.source, "-o", blend, "--form", settings.form];
    return settings.source.endsWith(".npz") ? args : args.concat(["--seed", `${settings.seed}`]);
}

// The path of the pictures, at the time of the job.
function outputPath(job) {
    const output = job.settings.render_output_path;
    if (!output) {
        throw "render_output_path: found nothing, allowed a path";
    }
    return output.replace("{timestamp}", formatTimestampLocal(job.created));
}
