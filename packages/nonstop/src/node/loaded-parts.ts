/** Parts of node that this process has loaded; undefined on a runtime that does not list them. */
const { moduleLoadList } = process as { moduleLoadList?: readonly string[] };

/** Whether anything has loaded `node:http2`. To ask does not load it. */
export const http2IsLoaded = (): boolean => moduleLoadList?.includes('NativeModule http2') === true;
