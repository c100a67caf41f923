// A picture of a page opens in its own size when it is clicked.
document.addEventListener("DOMContentLoaded", () => {
    for (const picture of document.querySelectorAll("article img")) {
        if (picture.closest("a")) continue;
        const link = document.createElement("a");
        link.href = picture.src;
        link.className = "picture";
        picture.replaceWith(link);
        link.append(picture);
    }
});
