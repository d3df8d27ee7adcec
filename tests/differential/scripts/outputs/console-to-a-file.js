// args: --console-output {dir}/console.txt
// What is printed does not go to the log.
export default function () { console.log('into the file'); }
