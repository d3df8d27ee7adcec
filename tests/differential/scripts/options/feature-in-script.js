// Feature flags in the script's options are told to be without effect.
export const options = { features: ['freeze-env'] };

export default function () {
  __ENV.CHANGED = 'yes';
  console.log(__ENV.CHANGED, Object.isFrozen(__ENV));
}
