// A stand-in of Flamenco Manager's published interface for job compiler scripts:
// node flamenco_manager.js SCRIPT.js < JOB.json prints the type and the tasks that the script makes of a job.

const fs = require("fs");
const vm = require("vm");
const posix = require("path").posix;

function frames(text) {
    const found = [];
    for (const part of text.split(",")) {
        const match = part.trim().match(/^(\d+)(?:-(\d+))?$/);
        if (!match) throw `invalid frame range ${text}`;
        for (let frame = Number(match[1]); frame <= Number(match[2] || match[1]); frame++) found.push(frame);
    }
    return found.sort((one, other) => one - other);
}

function chunked(text, size) {
    const all = frames(text), found = [];
    for (let at = 0; at < all.length; at += size) {
        const part = all.slice(at, at + size);
        const whole = part[part.length - 1] - part[0] + 1 == part.length;
        found.push(part.length == 1 ? `${part[0]}` : whole ? `${part[0]}-${part[part.length - 1]}` : part.join(","));
    }
    return found;
}

const tasks = [];
const world = {
    author: {
        Task: (name, type) => ({
            name, type, commands: [], dependencies: [],
            addCommand(command) { this.commands.push(command); },
            addDependency(task) { this.dependencies.push(task.name); },
        }),
        Command: (name, parameters) => ({ name, parameters }),
    },
    path: {
        join: (...parts) => posix.join(...parts),
        dirname: posix.dirname,
        basename: posix.basename,
        stem: (file) => posix.basename(file, posix.extname(file)),
    },
    frameChunker: chunked,
    formatTimestampLocal: () => "2026-01-02_030405",
    print: () => {},
};
vm.createContext(world);
vm.runInContext(fs.readFileSync(process.argv[2], "utf8") + "\nthis.JOB_TYPE = JOB_TYPE; this.compileJob = compileJob;", world);
const job = JSON.parse(fs.readFileSync(0, "utf8"));
job.created = new Date(0);
job.addTask = (task) => tasks.push(task);
try {
    world.compileJob(job);
    process.stdout.write(JSON.stringify({ type: world.JOB_TYPE, tasks }));
} catch (error) {
    process.stdout.write(JSON.stringify({ error: `${error}` }));
}
