// A script without an exported function cannot be run: 255.
console.log('no exports here');
