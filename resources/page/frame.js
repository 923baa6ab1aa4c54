// Runs in every frame as soon as its document exists, in our own world: tells the shell.
"use strict";
if (window !== window.parent && window.location.protocol === "book:") {
  window.parent.ibid?.reader?.frameCreated(window);
}
