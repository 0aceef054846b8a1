/** Imported before tables: they then compare Express 4 and `nonstop/v4` (`test/support/subject.ts`). */
process.env['NONSTOP_EXPRESS'] = '4';
