/** Loaded in front of tables: they compare Express 4 and `nonstop/v4` then (`test/support/subject.ts`). */
process.env['NONSTOP_EXPRESS'] = '4';
