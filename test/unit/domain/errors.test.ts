// What the machine refuses is a fault with a remedy, not a bug of ours (architecture 10).
import { describe, expect, it } from 'vitest';
import { HcaFault, toFault } from '#shared/contracts/errors.ts';

describe('anything caught', () => {
  it.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE'])('%s is unavailable, with a field and a remedy', (code) => {
    const fault = toFault(Object.assign(new Error(`${code}: no`), { code }));
    expect(fault).toMatchObject({ code: 'HcaUnavailable', retryable: true, message: `${code}: no` });
    expect(fault.field).toMatch(/disk|host/);
    expect(fault.remedy).toMatch(/\w/);
  });

  it('a fault stays what it is; anything else is a bug and keeps its cause', () => {
    const fault = new HcaFault('HcaDenied', { message: 'no' });
    expect(toFault(fault)).toBe(fault);
    const bug = new TypeError('x is not a function');
    expect(toFault(bug)).toMatchObject({ code: 'HcaInternal', cause: bug });
  });
});
