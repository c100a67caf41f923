// SPDX-License-Identifier: GPL-3.0-or-later

// A film of Artfish on Flamenco: each shot is simulated and baked once, its pictures are rendered in parts side by
// side, and then all shots are cut into one movie. Copy this file into the folder `scripts` beside flamenco-manager.

const JOB_TYPE = {
    label: "Artfish Film",
    description: "Simulate, bake and render the shots of an Artfish film, and cut them into a movie",
    settings: [
        { key: "film", type: "string", required: true,
          description: "Name of a preset film, or the path of a film's JSON file that all workers see" },
        { key: "shots", type: "string", required: true, default: "1",
          description: "Shots to make. Examples: '3', '1-8', '1, 4-6'" },
        { key: "quality", type: "string", default: "draft", choices: ["draft", "final"],
          description: "Quality of the pictures" },
        { key: "parts", type: "int32", default: 4, propargs: { min: 1, max: 1000 }, visible: "submission",
          description: "Number of tasks that share the pictures of a shot" },
        { key: "output", type: "string", subtype: "dir_path", required: true,
          description: "Folder of the film, which all workers see; what is there of it already stays" },
        { key: "artfish", type: "string", default: "artfish", visible: "submission",
          description: "The artfish command on the workers, or a variable of Flamenco such as {artfish}" },
    ],
};

function compileJob(job) {
    const settings = job.settings;
    if (settings.quality != "draft" && settings.quality != "final") {
        throw `quality: found "${settings.quality}", allowed draft or final`;
    }
    const shots = frameChunker(settings.shots, 1);
    const finished = [];
    for (const shot of shots) {
        const bake = author.Task(`bake-shot-${shot}`, "blender");
        bake.addCommand(artfish(settings, ["--shots", shot, "--part", `0/${settings.parts}`]));
        job.addTask(bake);
        for (let part = 1; part <= settings.parts; part++) {
            const render = author.Task(`render-shot-${shot}-part-${part}`, "blender");
            render.addCommand(artfish(settings, ["--shots", shot, "--part", `${part}/${settings.parts}`]));
            render.addDependency(bake);
            job.addTask(render);
            finished.push(render);
        }
    }
    // All pictures are there by then, so that this only cuts: with titles, fades and dissolves, by Blender's FFmpeg.
    const cut = author.Task("cut", "blender");
    cut.addCommand(artfish(settings, spans(shots)));
    for (const render of finished) {
        cut.addDependency(render);
    }
    job.addTask(cut);
}

// The command that makes some of a film.
function artfish(settings, args) {
    const common = ["film", settings.film, "-o", settings.output, "--quality", settings.quality];
    return author.Command("exec", { exe: settings.artfish, args: common.concat(args) });
}

// The shots from the first to the last, as the command wants them. A movie has no gaps.
function spans(shots) {
    const numbers = shots.map(Number).sort((one, other) => one - other);
    const first = numbers[0], last = numbers[numbers.length - 1];
    if (last - first + 1 != numbers.length) {
        throw `shots: found gaps between ${first} and ${last}, allowed shots that follow one another`;
    }
    return ["--shots", `${first}-${last}`];
}
