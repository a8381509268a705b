import { lifeOf } from "./suites/life";

lifeOf("VmRestore", "json");
lifeOf("VmRestore", "xml");
lifeOf("FileRestore", "json");
