// mask: errors
// A module of k6 that does not exist: 107.
import thing from 'k6/not-a-module';

export default function () {
  thing();
}
