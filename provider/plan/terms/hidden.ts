/** What stands where the program has marked a value as a secret: it tells nothing about it, and so tells no two of them apart. */
export const hidden = "[secret]";
