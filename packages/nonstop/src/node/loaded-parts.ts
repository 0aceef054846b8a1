/** Parts of node that this process has loaded; undefined on a runtime that does not list them. */
const { moduleLoadList } = process as { moduleLoadList?: readonly string[] };

/** Whether `node:http2` is loaded. This call does not load it. */
export const http2IsLoaded = (): boolean => moduleLoadList?.includes('NativeModule http2') === true;
