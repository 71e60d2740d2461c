// What is read of a session is in memory as a whole, and a function of the cloud has 512 MB: what is too large for that is refused by its listed size.
import { HcaFault } from '#shared/contracts/errors.ts';

/** @throws HcaFault HcaTooLarge when `bytes` are more than `most` */
export const refuseLarge = (field: string, bytes: number, most: number): void => {
  if (bytes <= most) return;
  throw new HcaFault('HcaTooLarge', {
    message: `${field}: ${bytes} bytes, at most ${most}`,
    field,
    remedy: 'list generated files in .gitignore',
  });
};
